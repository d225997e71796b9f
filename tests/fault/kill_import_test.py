"""kill -9 in the middle of an import loses nothing that was acknowledged and leaves a store that opens."""

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import Server, ServerTest

# Acknowledgements after which the server is killed, round by round. They come in bursts, a segment at a time.
KILL_AFTER = (40, 200, 380)


class KillImportTest(ServerTest):
    @classmethod
    def setUpClass(cls):
        cls.photos = cls.draw_photos(400)

    def import_and_kill(self, after):
        """Kills the server after `after` acknowledgements; gives the ids that were acknowledged."""
        command = self.server.command("--format", "jsonl", "import", "photos", self.photos, "--recursive",
                                      "--retry-seconds", "0")
        client = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        acknowledged = set()
        for line in client.stdout:
            record = json.loads(line)
            if record["status"] == "OK":
                acknowledged.add(record["image"])
            if len(acknowledged) == after:
                self.server.kill()
        client.wait()
        client.stdout.close()
        return acknowledged

    def test_acknowledged_images_survive(self):
        self.server.run("dataset", "create", "photos")
        acknowledged = set()
        for after in KILL_AFTER:
            acknowledged |= self.import_and_kill(after)
            self.assertIsNotNone(self.server.process.poll(), "the import ended before the kill")
            self.server = Server(self.BIN_DIR, self.server.data_dir)
            stored = {image["image"]: image for image in self.server.jsonl("image", "list", "photos")}
            self.assertEqual(acknowledged - set(stored), set())
            plan = self.server.json("explain", "photos", "--scale", "8/8", "--analyze")
            self.assertEqual(int(plan["actual"]["rows"]), len(stored))
        # What was not acknowledged can simply be sent again.
        result = self.server.json("import", "photos", self.photos, "--recursive", expect=1)
        self.assertEqual(result["imported"], 400)
        self.assertEqual(result["refused"], 1)  # labels.tsv
        for image in sorted(stored)[::40]:
            copy = os.path.join(self.folder, "copy.jpg")
            self.server.run("image", "get", "photos", image, "--original", copy)
            with open(copy, "rb") as got, open(os.path.join(self.photos, image), "rb") as original:
                self.assertEqual(got.read(), original.read())


if __name__ == "__main__":
    freqstore_process.run()
