"""What a Prometheus sees of imports, kept files and refusals."""

import os
import re
import socket
import subprocess
import sys
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import Server, ServerTest


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class MetricsTest(ServerTest):
    def test_imports_are_counted(self):
        address = f"127.0.0.1:{free_port()}"
        self.server.terminate()
        self.server = Server(self.BIN_DIR, os.path.join(self.folder, "data"), "--metrics-listen", address)
        photos = self.draw_photos(10, os.path.join(self.folder, "photos"))
        with open(os.path.join(photos, "cut.jpg"), "wb") as cut:
            name = next(os.path.join(folder, name) for folder, _, names in os.walk(photos) for name in sorted(names)
                        if name.endswith(".jpg") and name != "cut.jpg")
            with open(name, "rb") as whole:
                content = whole.read()
            cut.write(content[:len(content) // 2])
        self.server.run("dataset", "create", "photos")
        self.server.run("import", "photos", photos, "--recursive", expect=1)  # labels.tsv is refused

        with urllib.request.urlopen(f"http://{address}/metrics") as answer:
            text = answer.read().decode()
        values = dict(re.findall(r"^(freqstore_\S+?(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE))
        self.assertEqual(float(values["freqstore_imported_images_total"]), 11)
        self.assertEqual(float(values['freqstore_refused_images_total{reason="NOT_A_JPEG"}']), 1)
        self.assertEqual(float(values['freqstore_images{dataset="photos"}']), 11)
        self.assertEqual(float(values['freqstore_kept_files{dataset="photos",reason="DAMAGED_SCAN"}']), 1)
        self.assertEqual(float(values["freqstore_writable"]), 1)
        self.assertNotIn("freqstore_alarm{", text)

    def test_an_address_that_is_taken_is_said(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            done = subprocess.run([os.path.join(self.BIN_DIR, "freqstored"), "--data-dir",
                                   os.path.join(self.folder, "other"), "--listen", "127.0.0.1:0", "--metrics-listen",
                                   address], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("CANNOT_LISTEN", done.stderr)


if __name__ == "__main__":
    freqstore_process.run()
