"""Layouts and rewrites, as a user types them."""

import hashlib
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import ServerTest


class RewriteTest(ServerTest):
    SERVER_ARGUMENTS = ("--segment-images", "16")

    @classmethod
    def setUpClass(cls):
        cls.photos = cls.draw_photos(120)

    def setUp(self):
        super().setUp()
        self.server.run("dataset", "create", "photos", "--layout", "fast")
        self.server.run("import", "photos", self.photos, "--recursive", expect=1)  # labels.tsv is refused
        self.server.run("admin", "flush")

    def coefficients(self):
        out = tempfile.mkdtemp(dir=self.folder)
        rows = self.server.jsonl("scan", "photos", "--coefficients", "--out", out)
        hashes = {}
        for row in rows:
            digest = hashlib.sha256()
            for path in row["files"]:
                with open(path, "rb") as file:
                    digest.update(file.read())
            hashes[row["image"]] = digest.hexdigest()
        self.assertEqual(len(hashes), len(rows))
        return hashes

    def test_rewrite_shows_progress_and_changes_no_image(self):
        before = self.coefficients()
        segments = self.server.json("dataset", "describe", "photos")["segments"]
        self.assertGreaterEqual(segments, 5)
        lines = self.server.jsonl("admin", "rewrite", "photos", "--layout", "compact")
        done = [line["segments_done"] for line in lines]
        self.assertEqual(done, sorted(done))
        self.assertEqual(lines[-1]["segments_done"], segments)
        self.assertEqual(lines[-1]["segments_total"], segments)
        self.assertEqual(lines[-1]["images_done"], 120)
        self.assertEqual(lines[-1]["damaged"], [])
        described = self.server.json("dataset", "describe", "photos")
        self.assertEqual(described["layout"], "compact")
        self.assertEqual(described["segments_by_layout"], {"compact": segments})
        self.assertEqual(described["column_bytes"], lines[-1]["bytes_after"])
        self.assertEqual(self.coefficients(), before)
        self.assertIn("nothing to do", self.server.run("admin", "rewrite", "photos", "--layout", "compact").stdout)
        self.assertIn("segments are fast now", self.server.run("admin", "rewrite", "photos", "--layout", "fast").stdout)
        self.assertEqual(self.coefficients(), before)

    def test_rewrite_goes_on_without_its_client(self):
        client = subprocess.Popen(
            self.server.command("--format", "jsonl", "admin", "rewrite", "photos", "--layout", "compact"),
            stdout=subprocess.PIPE, text=True)
        client.stdout.readline()
        client.kill()
        client.wait()
        client.stdout.close()
        self.server.run("admin", "rewrite", "photos", "--layout", "compact")
        layouts = self.server.json("dataset", "describe", "photos")["segments_by_layout"]
        self.assertEqual(list(layouts), ["compact"])

    def test_shutdown_does_not_wait_for_a_rewrite(self):
        client = subprocess.Popen(
            self.server.command("--format", "jsonl", "admin", "rewrite", "photos", "--layout", "compact"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        client.stdout.readline()
        self.assertEqual(self.server.terminate(), 0)
        _, errors = client.communicate()
        self.assertTrue(client.returncode == 0 or "[SERVER_STOPPING]" in errors, errors)
        self.server = freqstore_process.Server(self.BIN_DIR, self.server.data_dir)
        self.server.run("admin", "rewrite", "photos", "--layout", "compact")
        self.assertEqual(len(self.coefficients()), 120)

    def test_layouts_are_shown(self):
        for layout in ("balanced", "compact", "fast"):
            created = self.server.json("dataset", "create", f"new-{layout}", "--layout", layout)
            self.assertEqual(created["layout"], layout)
        self.server.run("dataset", "create", "new", "--layout", "fine", expect=2)
        layouts = {row["dataset"]: row["layout"] for row in self.server.json("dataset", "list")}
        self.assertEqual(layouts["datasets/new-compact"], "compact")
        for command in (("dataset", "create"), ("admin", "rewrite")):
            text = self.server.run(*command, "--help").stdout
            for layout in ("balanced ", "compact ", "fast "):
                self.assertIn(f"\n  {layout}", text)
        missing = self.server.run("admin", "rewrite", "nothing", "--layout", "fast", expect=1)
        self.assertIn("[DATASET_NOT_FOUND]", missing.stderr)
        self.server.run("admin", "rewrite", "photos", expect=2)

    def test_segments_are_described(self):
        segments = self.server.jsonl("dataset", "segments", "photos")
        self.assertEqual(sum(segment["images"] for segment in segments), 120)
        for segment in segments:
            self.assertLessEqual(segment["images"], 16)
            self.assertEqual(segment["layout"], "fast")
            low, high = segment["shorter_side"]
            self.assertTrue(0 < low <= high)
            low, high = segment["quality"]
            self.assertTrue(0 < low <= high <= 100)
            self.assertGreater(segment["column_bytes"], 0)
        text = self.server.run("dataset", "describe", "photos").stdout
        self.assertIn("PER JPEG BYTE", text)
        self.assertIn("bytes by frequency", text)
        self.assertNotIn("\033", text)


if __name__ == "__main__":
    freqstore_process.run()
