"""Starts the built binaries for tests that work as a user does."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest


def test_data(relative):
    """A path under FREQSTORE_TEST_DATA; skips the test, saying so, where that is absent."""
    root = os.environ.get("FREQSTORE_TEST_DATA")
    path = os.path.join(root, relative) if root else ""
    if not root or not os.path.exists(path):
        raise unittest.SkipTest(f"no test material: FREQSTORE_TEST_DATA={root!r} {relative}")
    return path


class Server:
    """A freqstored process, on a free port unless `listen` says otherwise; its store is in `data_dir`."""

    ENVIRONMENT = {}  # variables of the process, besides those of the test

    def __init__(self, bin_dir, data_dir, *arguments, listen="127.0.0.1:0"):
        self.bin_dir = bin_dir
        self.data_dir = data_dir
        self.process = subprocess.Popen(
            [os.path.join(bin_dir, "freqstored"), "--data-dir", data_dir, "--listen", listen, *arguments],
            stderr=subprocess.PIPE, text=True, env={**os.environ, **self.ENVIRONMENT})
        self.address = self._wait_for_address()

    def _wait_for_address(self):
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            found = re.search(r"serving .* on (\S+)", line)
            if found:
                return found.group(1)
        raise RuntimeError("freqstored ended: " + "".join(seen))

    def command(self, *arguments):
        return [os.path.join(self.bin_dir, "freqstore"), "--server", self.address, *arguments]

    def run(self, *arguments, expect=0):
        """Runs a command of `freqstore`; gives its finished process."""
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True)
        if expect is not None and done.returncode != expect:
            raise AssertionError(f"freqstore {' '.join(arguments)}: exit code {done.returncode}, not {expect}\n"
                                 f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done

    def json(self, *arguments, expect=0):
        return json.loads(self.run("--format", "json", *arguments, expect=expect).stdout)

    def jsonl(self, *arguments, expect=0):
        lines = self.run("--format", "jsonl", *arguments, expect=expect).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def terminate(self):
        """SIGTERM; gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        self.process.stderr.close()
        return code


class ServerTest(unittest.TestCase):
    """A test with a server of its own. BIN_DIR is set by run()."""

    BIN_DIR = None
    SERVER_ARGUMENTS = ()

    @classmethod
    def draw_photos(cls, count, folder=None, labels=True):
        """Labelled photos, and labels.tsv unless `labels` is false, in `folder` or in one that goes with the class."""
        if folder is None:
            folder = tempfile.mkdtemp(prefix="freqstore-photos-")
            cls.addClassCleanup(shutil.rmtree, folder)
        subprocess.run([os.path.join(cls.BIN_DIR, "freqstore-sample"), "photos", folder, "--count", str(count)],
                       check=True, stdout=subprocess.DEVNULL)
        if not labels:
            os.remove(os.path.join(folder, "labels.tsv"))
        return folder

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="freqstore-test-")
        self.addCleanup(self._folder.cleanup)
        self.folder = self._folder.name
        self.server = Server(self.BIN_DIR, os.path.join(self.folder, "data"), *self.SERVER_ARGUMENTS)
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())


def run():
    """Entry of a test script: the first argument is the folder of the binaries. Exit code 4 if all was skipped."""
    import sys

    ServerTest.BIN_DIR = sys.argv.pop(1)
    program = unittest.main(module="__main__", exit=False, verbosity=2)
    result = program.result
    if result.wasSuccessful() and result.testsRun == len(result.skipped):
        sys.exit(4)
    sys.exit(0 if result.wasSuccessful() else 1)
