"""The files of the project, and how a check reports what it finds in them."""

import fnmatch
import os
import pathlib
import subprocess
import sys

CXX_SUFFIXES = {".h", ".cc", ".cu", ".cuh"}
SKIPPED_CODE = 77  # what ctest takes for "skipped" (CMakeLists.txt)

# What .gitignore names, for a tree that is not a git checkout.
_IGNORED_FOLDERS = ["build*", ".git", ".cache", "__pycache__", "node_modules"]
_IGNORED_FILES = ["*.tmp", "compile_commands.json"]


def list_files(top):
    """Paths relative to `top` of all files that are tracked, or new and not ignored, in sorted order."""
    git = ["git", "-c", "safe.directory=*", "-C", str(top), "ls-files", "-z", "--cached", "--others",
           "--exclude-standard"]
    try:
        listed = subprocess.run(git, check=True, capture_output=True).stdout.decode().split("\0")
        paths = {pathlib.PurePosixPath(path) for path in listed if path and (top / path).is_file()}
    except (OSError, subprocess.CalledProcessError):
        paths = set(_walk(top))
    return sorted(paths)


def _walk(top):
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if not _matches(name, _IGNORED_FOLDERS)]
        for name in files:
            if not _matches(name, _IGNORED_FILES):
                yield pathlib.PurePosixPath((pathlib.Path(folder) / name).relative_to(top).as_posix())


def _matches(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def read_text(top, path):
    """The text of a file, or None for one that is not UTF-8 text."""
    try:
        text = (top / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def is_under(path, folder):
    return str(path) == folder or str(path).startswith(f"{folder}/")


def run_check(check):
    """Runs check(top, files) -> findings on the tree named by the command line; exits 1 if there are findings."""
    top = pathlib.Path(sys.argv[1]).resolve()
    findings = check(top, list_files(top))
    for finding in findings:
        print(finding)
    sys.exit(1 if findings else 0)
