"""Real photos come back byte for byte, nearly all of them from their columns; and what `compact` takes of the disk."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import test_data
from round_trip import RoundTripTest, peak_resident_bytes

REBUILT_MIN = 0.995
COMPACT_BYTES_MAX = 0.885  # of the files' bytes


class PhotosTest(RoundTripTest):
    def check_folder(self, dataset, folder, images):
        """Gives the bytes of the files."""
        originals = {name: os.path.join(folder, name) for name in os.listdir(folder)}
        self.assertEqual(len(originals), images)
        self.server.run("dataset", "create", dataset, "--layout", "balanced")
        self.assertEqual(self.server.json("import", dataset, folder)["imported"], images)
        self.check_export_everywhere(dataset, originals, "compact")
        kept = self.kept_images(dataset)
        print(f"{folder}: {images - sum(kept.values())} of {images} rebuilt, kept whole: {kept}, "
              f"peak {peak_resident_bytes(self.server) >> 20} MiB")
        self.assertLessEqual(sum(kept.values()), (1 - REBUILT_MIN) * images)
        return sum(os.path.getsize(path) for path in originals.values())

    def test_photos(self):
        file_bytes = self.check_folder("photos", test_data("photos/imagenet500"), 500)
        described = self.server.json("dataset", "describe", "photos")
        self.assertEqual(described["file_bytes"], file_bytes)
        status = self.server.json("admin", "status")
        stored = {"columns": described["column_bytes"],
                  "envelopes": described["envelope_bytes"],
                  "kept files": sum(kept["bytes"] for kept in described["kept_files"].values()),
                  "image tables": status["disk_catalog"],
                  "index of image ids": status["disk_rows"]}
        print(f"compact: {sum(stored.values()) / file_bytes:.4f} of {file_bytes} bytes,",
              ", ".join(f"{name} {part / file_bytes:.4f}" for name, part in stored.items()))
        for name, part in stored.items():
            self.assertGreater(part, 0 if name != "kept files" else -1, name)
        self.assertLessEqual(sum(stored.values()), COMPACT_BYTES_MAX * file_bytes)

    def test_labelled_images(self):
        self.check_folder("labelled", test_data("labeled/imagenet_val227/images"), 1000)


if __name__ == "__main__":
    freqstore_process.run()
