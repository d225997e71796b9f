"""kill -9 in the middle of a rewrite leaves every image as it was, and the rewrite goes on when the server starts."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import Server, ServerTest

IMAGES = 160
# To which layout, and after how many segments the server is killed, round by round.
ROUNDS = (("compact", 1), ("fast", 4), ("compact", 7))


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class KillRewriteTest(ServerTest):
    SERVER_ARGUMENTS = ("--segment-images", "8")

    @classmethod
    def setUpClass(cls):
        cls.photos = cls.draw_photos(IMAGES)

    def rewrite_and_kill(self, layout, after):
        """Kills the server once `after` segments are done; gives how many were left."""
        command = self.server.command("--format", "jsonl", "admin", "rewrite", "photos", "--layout", layout)
        client = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        left = 0
        for line in client.stdout:
            progress = json.loads(line)
            if progress["segments_done"] >= after:
                left = progress["segments_total"] - progress["segments_done"]
                self.server.kill()
                break
        client.wait()
        client.stdout.close()
        return left

    def coefficients(self):
        """image -> hash of all its coefficients; each image comes once."""
        with tempfile.TemporaryDirectory(dir=self.folder) as out:
            rows = self.server.jsonl("scan", "photos", "--coefficients", "--out", out)
            hashes = {row["image"]: [sha256(path) for path in row["files"]] for row in rows}
        self.assertEqual(len(rows), len(hashes))
        return hashes

    def check_files(self, images):
        copy = os.path.join(self.folder, "copy.jpg")
        for image in images:
            self.server.run("image", "get", "photos", image, "--original", copy)
            self.assertEqual(sha256(copy), sha256(os.path.join(self.photos, image)))

    def test_a_killed_rewrite_loses_nothing_and_goes_on(self):
        self.server.run("dataset", "create", "photos", "--layout", "fast")
        self.server.run("import", "photos", self.photos, "--recursive", expect=1)  # labels.tsv is refused
        self.server.run("admin", "flush")
        before = self.coefficients()
        self.assertEqual(len(before), IMAGES)
        segments = self.server.json("dataset", "describe", "photos")["segments"]
        for layout, after in ROUNDS:
            left = self.rewrite_and_kill(layout, after)
            self.assertGreater(left, 0, "the rewrite ended before the kill")
            self.server = Server(self.BIN_DIR, self.server.data_dir, *self.SERVER_ARGUMENTS)
            # The rewrite goes on meanwhile.
            self.assertEqual(self.coefficients(), before)
            described = self.server.json("dataset", "describe", "photos")
            self.assertEqual(described["layout"], layout)
            self.assertEqual(described["segments"], segments)
            self.assertEqual(described["images"], IMAGES)
            self.server.run("admin", "rewrite", "photos", "--layout", layout)
            layouts = self.server.json("dataset", "describe", "photos")["segments_by_layout"]
            self.assertEqual(layouts, {layout: segments})
        self.assertEqual(self.coefficients(), before)
        self.check_files(sorted(before))


if __name__ == "__main__":
    freqstore_process.run()
