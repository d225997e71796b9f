"""A disk that is full, or fails, during an import costs the images that are refused then, and nothing else.

The server's file operations are made to fail, and to work again, by failing_io.cc. The first argument is the folder of
the binaries, FREQSTORE_FAILING_IO names the library.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import Server, ServerTest

IMAGES = 120
PATIENCE_SECONDS = 30
# What a row may be refused with, and so what the user reads.
DISK_REASONS = {"DISK_FULL", "STORE_READ_ONLY", "STORE_IO_ERROR"}


def hashes_of(folder):
    hashes = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                hashes[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return hashes


class FailingDiskTest(ServerTest):
    SERVER_ARGUMENTS = ("--segment-images", "16")

    @classmethod
    def setUpClass(cls):
        cls.photos = cls.draw_photos(IMAGES, labels=False)
        cls.originals = hashes_of(cls.photos)

    def setUp(self):
        self._control = tempfile.TemporaryDirectory(prefix="freqstore-faults-")
        self.addCleanup(self._control.cleanup)
        self.faults = os.path.join(self._control.name, "faults")
        environment = {"FREQSTORE_FAULTS": self.faults, "LD_PRELOAD": os.environ["FREQSTORE_FAILING_IO"]}
        self.enterContext(unittest.mock.patch.object(Server, "ENVIRONMENT", environment))
        super().setUp()
        self.server.run("dataset", "create", "photos", "--layout", "fast")

    def set_faults(self, *lines):
        with open(self.faults + ".new", "w", encoding="utf-8") as file:
            file.writelines(f"{line} {self.server.data_dir}/\n" for line in lines)
        os.replace(self.faults + ".new", self.faults)

    def import_all(self):
        """Imports all photos; gives image -> "OK" or the reason of its refusal."""
        done = self.server.run("--format", "jsonl", "import", "photos", self.photos, "--recursive",
                               "--retry-seconds", "0", expect=None)
        return {record["image"]: record["status"] for record in map(json.loads, done.stdout.splitlines())}

    def check_stored(self, acknowledged):
        """All that was acknowledged is there, and all that is there is byte for byte what was sent."""
        with tempfile.TemporaryDirectory(dir=self.folder) as out:
            self.server.run("export", "photos", "--out", out)
            exported = hashes_of(out)
        self.assertEqual(acknowledged - set(exported), set())
        for image, digest in exported.items():
            self.assertEqual(digest, self.originals[image])

    def import_until_all_are_in(self, acknowledged):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(acknowledged) < IMAGES:
            self.assertLess(time.monotonic(), deadline, "writes do not resume")
            outcomes = self.import_all()
            acknowledged |= {image for image, status in outcomes.items() if status in ("OK", "ALREADY_EXISTS")}
            time.sleep(0.2)

    def check_import_with(self, faults, kill_while_failing=False):
        # Some go in before the first fault: counts are of calls, and each image is some of them.
        acknowledged = set()
        self.set_faults(*faults)
        outcomes = self.import_all()
        acknowledged |= {image for image, status in outcomes.items() if status == "OK"}
        refused = set(outcomes.values()) - {"OK"}
        self.assertTrue(refused, "no fault was met")
        self.assertEqual(refused - DISK_REASONS, set())
        self.assertEqual(int(self.server.json("dataset", "describe", "photos")["images"]), len(acknowledged))
        self.check_stored(acknowledged)  # reads go on
        if kill_while_failing:
            self.server.kill()
            os.remove(self.faults)
            self.server = Server(self.BIN_DIR, self.server.data_dir, *self.SERVER_ARGUMENTS)
            self.check_stored(acknowledged)
        self.set_faults()
        self.import_until_all_are_in(acknowledged)
        self.server.run("admin", "flush")
        self.check_stored(acknowledged)
        self.assertEqual(self.server.terminate(), 0)
        os.remove(self.faults)
        self.server = Server(self.BIN_DIR, self.server.data_dir, *self.SERVER_ARGUMENTS)
        self.check_stored(acknowledged)
        self.assertEqual(acknowledged, set(self.originals))

    def test_full_disk(self):
        self.check_import_with(["ENOSPC write,allocate 15 -1"])

    def test_full_disk_and_kill(self):
        self.check_import_with(["ENOSPC tear 15 -1"], kill_while_failing=True)

    def test_failed_syncs(self):
        self.check_import_with(["EIO sync 10 -1"])

    def test_failed_syncs_and_kill(self):
        self.check_import_with(["EIO sync 10 -1"], kill_while_failing=True)

    def test_write_errors_that_come_and_go(self):
        acknowledged = set()
        stop = threading.Event()

        def come_and_go():
            faults = ("EIO write 5 3", "ENOSPC tear 3 2", "EIO sync 2 2", "EIO write,sync,open,rename 7 -1")
            for turn in range(1000):
                if stop.is_set():
                    break
                self.set_faults(faults[turn % len(faults)])
                time.sleep(0.3)
                self.set_faults()
                time.sleep(0.9)

        thread = threading.Thread(target=come_and_go)
        thread.start()
        try:
            self.import_until_all_are_in(acknowledged)
        finally:
            stop.set()
            thread.join()
        self.check_stored(acknowledged)
        self.server.kill()
        os.remove(self.faults)
        self.server = Server(self.BIN_DIR, self.server.data_dir, *self.SERVER_ARGUMENTS)
        self.check_stored(acknowledged)


class SmallDiskTest(ServerTest):
    """The same with a file system that is full in earnest."""

    def setUp(self):
        self.mount = tempfile.mkdtemp(prefix="freqstore-small-disk-")
        self.addCleanup(os.rmdir, self.mount)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", self.mount], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest("cannot mount a file system here")
        self.addCleanup(lambda: subprocess.run(["umount", self.mount], check=True))
        self.photos = self.draw_photos(60, labels=False)

    def start(self, free_bytes_min):
        self.server = Server(self.BIN_DIR, os.path.join(self.mount, "data"), "--free-bytes-min", free_bytes_min,
                             "--store-memory", "8MiB")
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())

    def check_full_disk(self, free_bytes_min, left):
        """Another file takes all but `left` bytes; then it goes."""
        self.start(free_bytes_min)
        self.server.run("dataset", "create", "photos")
        statistics = os.statvfs(self.mount)
        blocker = os.path.join(self.mount, "blocker")
        with open(blocker, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, statistics.f_bavail * statistics.f_frsize - left)
        command = ("--format", "jsonl", "import", "photos", self.photos, "--recursive", "--retry-seconds", "0")
        outcomes = list(map(json.loads, self.server.run(*command, expect=1).stdout.splitlines()))
        self.assertEqual({record["status"] for record in outcomes} - {"OK"}, {"DISK_FULL"})
        acknowledged = sum(record["status"] == "OK" for record in outcomes)
        self.assertEqual(int(self.server.json("dataset", "describe", "photos")["images"]), acknowledged)
        os.remove(blocker)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while int(self.server.json("dataset", "describe", "photos")["images"]) < 60:
            self.assertLess(time.monotonic(), deadline, "writes do not resume")
            self.server.run(*command, expect=None)
        with tempfile.TemporaryDirectory() as out:
            self.server.run("export", "photos", "--out", out)
            self.assertEqual(hashes_of(out), hashes_of(self.photos))

    def test_reserve(self):
        self.check_full_disk(free_bytes_min="8MiB", left=9 << 20)

    def test_no_reserve(self):
        self.check_full_disk(free_bytes_min="0", left=1 << 20)


if __name__ == "__main__":
    freqstore_process.run()
