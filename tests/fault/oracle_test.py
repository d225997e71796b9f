"""kill -9 at random times while images are imported, deleted, labelled, columnized and compacted, against an oracle.

Whatever was acknowledged is there after each restart, byte for byte; what was on its way is there as a whole or not at all.
FREQSTORE_ORACLE_ROUNDS sets how many rounds (4), FREQSTORE_ORACLE_SEED which.
"""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "testutil"))
import freqstore_process
from freqstore_process import Server, ServerTest

ROUNDS = int(os.environ.get("FREQSTORE_ORACLE_ROUNDS", "4"))
SEED = int(os.environ.get("FREQSTORE_ORACLE_SEED", "1"))
IMAGES_A_BATCH = (3, 20, 40)
IMAGES_MAX = 400  # at one time: more are deleted first
IMAGES_MIN = 60   # no more are deleted then
SECONDS_BEFORE_KILL = (0.3, 2.5)
UNKNOWN = object()


class Oracle:
    """What must be stored. A value that a command was about when the server died is one of several."""

    def __init__(self):
        self.lock = threading.Lock()
        self.files = {}     # id -> SHA-256, of all that were ever sent
        self.present = {}   # id -> True, False or UNKNOWN
        self.labels = {}    # id -> set of possible labels; None stands for no label
        self.busy = set()   # ids that a command is about right now

    def take(self, rng, count):
        """Some ids that are there for sure and that no other command is about."""
        with self.lock:
            idle = sorted(i for i, there in self.present.items() if there is True and i not in self.busy)
            taken = rng.sample(idle, min(count, len(idle)))
            self.busy.update(taken)
            return taken

    def release(self, ids):
        with self.lock:
            self.busy.difference_update(ids)


class Workload:
    """Runs commands against one server until it dies."""

    def __init__(self, test, server, oracle, seed):
        self.test, self.server, self.oracle = test, server, oracle
        self.stopped = threading.Event()
        self.threads = [threading.Thread(target=self.repeat, args=(step, random.Random(f"{seed}-{step.__name__}")))
                        for step in (self.import_some, self.delete_some, self.label_some, self.columnize, self.compact)]
        for thread in self.threads:
            thread.start()

    def repeat(self, step, rng):
        while not self.stopped.is_set():
            try:
                step(rng)
            except Exception:  # shown by the main thread
                if not self.stopped.is_set():
                    self.test.failures.append(sys.exc_info()[1])
                return

    def join(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join()

    def call(self, *arguments):
        return subprocess.run(self.server.command("--format", "json", *arguments), capture_output=True, text=True)

    def import_some(self, rng):
        with self.oracle.lock:
            if sum(1 for there in self.oracle.present.values() if there is True) > IMAGES_MAX:
                time.sleep(0.05)
                return
        folder = tempfile.mkdtemp(dir=self.test.folder)
        ids = []
        with open(os.path.join(folder, "labels.tsv"), "w") as labels:
            labels.write("image\tlabel\n")
            for _ in range(rng.choice(IMAGES_A_BATCH)):
                name, content = self.test.make_file(rng)
                ids.append(name)
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(content)
                labels.write(f"{name}\tfirst\n")
                with self.oracle.lock:
                    self.oracle.files[name] = hashlib.sha256(content).hexdigest()
                    self.oracle.present[name] = UNKNOWN
                    self.oracle.labels[name] = {"first"}
                    self.oracle.busy.add(name)
        paths = [os.path.join(folder, name) for name in ids]
        command = self.server.command("--format", "jsonl", "import", "photos", *paths, "--attributes",
                                      os.path.join(folder, "labels.tsv"), "--retry-seconds", "0")
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as client:
            for line in client.stdout:
                record = json.loads(line)
                if record["status"] == "OK":
                    with self.oracle.lock:
                        self.oracle.present[record["image"]] = True
        shutil.rmtree(folder)
        self.oracle.release(ids)

    def delete_some(self, rng):
        with self.oracle.lock:
            is_enough = sum(1 for there in self.oracle.present.values() if there is True) > IMAGES_MIN
        if not is_enough:
            time.sleep(0.05)
            return
        ids = self.oracle.take(rng, rng.choice((1, 5, 15)))
        if not ids:
            time.sleep(0.05)
            return
        with self.oracle.lock:
            for name in ids:
                self.oracle.present[name] = UNKNOWN
        if self.call("image", "delete", "photos", *ids).returncode == 0:
            with self.oracle.lock:
                for name in ids:
                    self.oracle.present[name] = False
        self.oracle.release(ids)

    def label_some(self, rng):
        ids = self.oracle.take(rng, rng.choice((1, 5, 15)))
        if not ids:
            time.sleep(0.05)
            return
        label = f"label-{rng.randrange(1000)}"
        with self.oracle.lock:
            for name in ids:
                self.oracle.labels[name].add(label)
        if self.call("image", "set", "photos", *ids, f"label:string={label}").returncode == 0:
            with self.oracle.lock:
                for name in ids:
                    self.oracle.labels[name] = {label}
        self.oracle.release(ids)

    def columnize(self, rng):
        time.sleep(rng.uniform(0, 0.3))
        self.call("admin", "flush")

    def compact(self, rng):
        time.sleep(rng.uniform(0, 0.5))
        self.call("admin", "compact", "photos")


class OracleTest(ServerTest):
    SERVER_ARGUMENTS = ("--segment-images", "16")

    @classmethod
    def setUpClass(cls):
        cls.photos = cls.draw_photos(20)
        cls.contents = []
        for folder, _, names in sorted(os.walk(cls.photos)):
            for name in sorted(names):
                if name.endswith(".jpg"):
                    with open(os.path.join(folder, name), "rb") as file:
                        cls.contents.append(file.read())

    def setUp(self):
        super().setUp()
        self.failures = []
        self.numbers = iter(range(10**9))

    def make_file(self, rng):
        """A name that was never used, and a photo with a comment that no other has."""
        number = next(self.numbers)
        content = rng.choice(self.contents)
        comment = f"photo {number}".encode()
        return f"{number:07}.jpg", content[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + content[2:]

    def check(self, oracle):
        """Compares the store with the oracle, which then knows."""
        stored = {image["image"]: image for image in self.server.jsonl("image", "list", "photos")}
        for name, there in oracle.present.items():
            if there is not UNKNOWN:
                self.assertEqual(name in stored, there, f"{name} was acknowledged as {'stored' if there else 'deleted'}")
            oracle.present[name] = name in stored
        self.assertEqual(set(stored) - set(oracle.present), set())
        for name, image in stored.items():
            self.assertEqual(image["sha256"], oracle.files[name])
            label = image.get("attributes", {}).get("label")
            self.assertIn(label, oracle.labels[name], name)
            oracle.labels[name] = {label}
        out = os.path.join(self.folder, "out")
        if stored:
            self.server.run("export", "photos", "--out", out)
            for name in stored:
                with open(os.path.join(out, name), "rb") as file:
                    self.assertEqual(hashlib.sha256(file.read()).hexdigest(), oracle.files[name])
            shutil.rmtree(out)
        described = self.server.json("dataset", "describe", "photos")
        self.assertEqual(int(described["images"]), len(stored))
        oracle.busy.clear()

    def test_every_acknowledged_change_survives(self):
        self.server.run("dataset", "create", "photos")
        oracle = Oracle()
        rng = random.Random(SEED)
        for number in range(ROUNDS):
            workload = Workload(self, self.server, oracle, f"{SEED}-{number}")
            time.sleep(rng.uniform(*SECONDS_BEFORE_KILL))
            workload.stopped.set()
            self.server.kill()
            workload.join()
            self.assertEqual(self.failures, [])
            self.server = Server(self.BIN_DIR, self.server.data_dir, *self.SERVER_ARGUMENTS)
            with self.subTest(round=number):
                self.check(oracle)
            if number % 25 == 24:
                print(f"round {number + 1} of {ROUNDS}: {sum(oracle.present.values())} images", flush=True)
        verified = self.server.json("admin", "verify")
        self.assertEqual(verified["damaged"], [])


if __name__ == "__main__":
    freqstore_process.run()
