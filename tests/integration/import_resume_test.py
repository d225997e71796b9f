"""Imports and exports go on by themselves when their server is killed and comes back."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import Server, ServerTest

PHOTOS = 400


class ResumeTest(ServerTest):
    # Small segments: what is acknowledged comes in many small bursts.
    SERVER_ARGUMENTS = ("--segment-images", "16")

    @classmethod
    def setUpClass(cls):
        cls.photos = cls.draw_photos(PHOTOS, labels=False)

    def kill_and_restart(self):
        self.server.kill()
        self.server = Server(self.BIN_DIR, self.server.data_dir, *self.SERVER_ARGUMENTS, listen=self.server.address)

    def run_with_kills(self, kill_after, *arguments):
        """Kills the server when that many lines have come, and starts it again; gives the lines and stderr."""
        command = self.server.command("--format", "jsonl", *arguments)
        client = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = []
        for line in client.stdout:
            lines.append(json.loads(line))
            if len(lines) in kill_after:
                self.kill_and_restart()
        errors = client.stderr.read()
        client.stdout.close()
        client.stderr.close()
        self.assertEqual(client.wait(), 0, errors)
        return lines, errors

    def assert_files_are_the_photos(self, out):
        count = 0
        for folder, _, names in os.walk(out):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as got, open(os.path.join(self.photos, os.path.relpath(path, out)), "rb") as photo:
                    self.assertEqual(got.read(), photo.read())
                count += 1
        self.assertEqual(count, PHOTOS)

    def test_import_and_export_outlive_kill_9(self):
        self.server.run("dataset", "create", "photos")
        lines, errors = self.run_with_kills((40, 200), "import", "photos", self.photos, "--recursive")
        self.assertIn("trying again", errors)
        self.assertEqual({line["status"] for line in lines}, {"OK"})
        self.assertEqual(len(lines), PHOTOS)
        self.assertEqual(len({line["image"] for line in lines}), PHOTOS)
        images = self.server.jsonl("image", "list", "photos")
        self.assertEqual(sorted(image["image"] for image in images), sorted(line["image"] for line in lines))
        self.assertEqual(self.server.json("dataset", "describe", "photos")["images"], PHOTOS)

        out = os.path.join(self.folder, "out")
        lines, errors = self.run_with_kills((100,), "export", "photos", "--out", out)
        self.assertEqual(len({line["image"] for line in lines}), PHOTOS)
        self.assertEqual(len(lines), PHOTOS)
        self.assert_files_are_the_photos(out)

    def test_import_gives_up_when_told_to(self):
        self.server.run("dataset", "create", "photos")
        command = self.server.command("--format", "jsonl", "import", "photos", self.photos, "--recursive",
                                      "--retry-seconds", "0.2")
        client = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        client.stdout.readline()
        self.server.kill()
        _, errors = client.communicate()
        self.assertEqual(client.returncode, 1)
        self.assertIn("gave up after 0.2 s", errors)
        self.assertIn("[UNAVAILABLE]", errors)

    def test_no_server_is_said_at_once(self):
        self.server.kill()
        done = self.server.run("import", "photos", self.photos, "--recursive", expect=1)
        self.assertIn("no server answers", done.stderr)


if __name__ == "__main__":
    freqstore_process.run()
