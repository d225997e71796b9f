"""A checkpoint is a backup: after everything else is wiped, a server restored from it has the same images and answers."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import Server, ServerTest


class BackupTest(ServerTest):
    SERVER_ARGUMENTS = ("--segment-images", "16")

    def fill(self, count):
        photos = self.draw_photos(count, os.path.join(self.folder, "photos"))
        self.server.run("dataset", "create", "photos")
        self.server.run("import", "photos", photos, "--recursive", expect=1)  # labels.tsv is not a JPEG
        self.server.run("image", "set", "photos", "--filter", "width > 0", "seen=yes")
        return photos

    def state(self, server):
        """All there is to compare: every image with its attributes, every file, the answers of a filter."""
        images = server.jsonl("image", "list", "photos")
        out = os.path.join(self.folder, "out")
        server.run("export", "photos", "--out", out)
        files = {}
        for folder, _, names in os.walk(out):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    files[os.path.relpath(os.path.join(folder, name), out)] = hashlib.sha256(file.read()).hexdigest()
        shutil.rmtree(out)
        wide = server.jsonl("image", "list", "photos", "--filter", "seen = yes AND file_bytes > 20000")
        scanned = server.json("explain", "photos", "--scale", "2/8", "--analyze")["actual"]["rows"]
        key = lambda image: image["image"]
        return sorted(images, key=key), files, sorted(wide, key=key), scanned

    def test_a_restored_server_is_the_same(self):
        self.fill(50)
        before = self.state(self.server)
        backup = os.path.join(self.folder, "backup")
        self.server.run("admin", "checkpoint", backup)
        again = self.server.run("admin", "checkpoint", backup, expect=1)
        self.assertIn("CHECKPOINT_EXISTS", again.stderr)
        # What happens afterwards is not in it.
        self.server.run("image", "delete", "photos", "--filter", "width > 0", "--yes")
        self.assertEqual(self.server.jsonl("image", "list", "photos"), [])
        self.server.terminate()
        shutil.rmtree(self.server.data_dir)

        restored = os.path.join(self.folder, "restored")
        self.server = Server(self.BIN_DIR, restored, "--restore-from", backup)
        self.assertEqual(self.state(self.server), before)
        self.assertEqual(self.server.json("admin", "verify")["damaged"], [])
        # The restored store is its own: what is written there is not in the backup.
        self.server.run("image", "delete", "photos", before[0][0]["image"])
        self.server.terminate()
        self.server = Server(self.BIN_DIR, restored, "--restore-from", backup)
        self.assertEqual(len(self.server.jsonl("image", "list", "photos")), len(before[0]) - 1)
        self.server.terminate()
        self.server = Server(self.BIN_DIR, os.path.join(self.folder, "other"), "--restore-from", backup)
        self.assertEqual(self.state(self.server), before)

    def test_a_kill_while_restoring_leaves_nothing_behind(self):
        self.fill(30)
        before = self.state(self.server)
        backup = os.path.join(self.folder, "backup")
        self.server.run("admin", "checkpoint", backup)
        self.server.terminate()
        restored = os.path.join(self.folder, "restored")
        for milliseconds in (1, 5, 20, 60, 150):
            process = subprocess.Popen([os.path.join(self.BIN_DIR, "freqstored"), "--data-dir", restored, "--listen",
                                        "127.0.0.1:0", "--restore-from", backup], stderr=subprocess.DEVNULL)
            time.sleep(milliseconds / 1000)
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.server = Server(self.BIN_DIR, restored, "--restore-from", backup)
        self.assertEqual(self.state(self.server), before)

    def test_a_store_that_is_there_is_never_replaced(self):
        self.fill(5)
        backup = os.path.join(self.folder, "backup")
        self.server.run("admin", "checkpoint", backup)
        other = Server(self.BIN_DIR, os.path.join(self.folder, "other"))
        other.run("dataset", "create", "mine")
        other.terminate()
        refused = subprocess.run([os.path.join(self.BIN_DIR, "freqstored"), "--data-dir", other.data_dir, "--listen",
                                  "127.0.0.1:0", "--restore-from", backup], capture_output=True, text=True)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("RESTORE_TARGET_NOT_EMPTY", refused.stderr)
        other = Server(self.BIN_DIR, other.data_dir)
        datasets = other.jsonl("dataset", "list")
        other.terminate()
        self.assertEqual([dataset["dataset"] for dataset in datasets], ["datasets/mine"])


if __name__ == "__main__":
    freqstore_process.run()
