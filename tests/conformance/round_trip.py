"""Imports files and checks that they come back, byte for byte, wherever the store holds them."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
from freqstore_process import Server, ServerTest

RESIDENT_BYTES_MAX = 1 << 30


def read(path):
    with open(path, "rb") as file:
        return file.read()


def memory(server, field):
    with open(f"/proc/{server.process.pid}/status") as status:
        kilobytes = next(line.split()[1] for line in status if line.startswith(field + ":"))
    return int(kilobytes) << 10


def resident_bytes(server):
    return memory(server, "VmRSS")


def peak_resident_bytes(server):
    return memory(server, "VmHWM")


class RoundTripTest(ServerTest):
    """`originals`, in what follows, are the accepted images of a dataset: image id to path."""

    def check_export(self, dataset, originals):
        with tempfile.TemporaryDirectory(dir=self.folder) as out:
            exported = self.server.jsonl("export", dataset, "--out", out)
            self.assertEqual({line["image"]: line["status"] for line in exported}, dict.fromkeys(originals, "OK"))
            for line in exported:
                if read(line["file"]) != read(originals[line["image"]]):
                    self.fail(f"{line['image']} came back changed")

    def check_export_everywhere(self, dataset, originals, layout):
        """From where the import left the images, from segments, from segments of another layout, after a restart."""
        self.check_export(dataset, originals)
        self.server.run("admin", "flush", dataset)
        self.assertEqual(self.server.json("dataset", "describe", dataset)["delta_images"], 0)
        self.check_export(dataset, originals)
        self.server.run("admin", "rewrite", dataset, "--layout", layout)
        self.assertEqual(list(self.server.json("dataset", "describe", dataset)["segments_by_layout"]), [layout])
        self.check_export(dataset, originals)
        self.check_peak_memory()
        self.assertEqual(self.server.terminate(), 0)
        self.server = Server(self.BIN_DIR, self.server.data_dir)
        self.check_export(dataset, originals)
        self.check_peak_memory()

    def check_peak_memory(self):
        self.assertLess(peak_resident_bytes(self.server), RESIDENT_BYTES_MAX)

    def kept_images(self, dataset):
        """How many files of a flushed dataset are kept whole, by reason."""
        kept_files = self.server.json("dataset", "describe", dataset)["kept_files"]
        return {reason: kept["images"] for reason, kept in kept_files.items()}
