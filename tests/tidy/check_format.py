#!/usr/bin/env python3
"""Checks that clang-format would change nothing. Skipped where clang-format is not installed."""

import shutil
import subprocess
import sys

from source_tree import CXX_SUFFIXES, SKIPPED_CODE, run_check


def check(top, files):
    sources = [str(path) for path in files if path.suffix in CXX_SUFFIXES]
    if not sources:
        return []
    command = ["clang-format", "--dry-run", "-Werror", "--ferror-limit=1", *sources]
    result = subprocess.run(command, cwd=top, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return []
    faults = [line for line in result.stderr.splitlines() if ": error: " in line]
    return faults or [result.stderr.strip()]


if __name__ == "__main__":
    if shutil.which("clang-format") is None:
        print("skipped: clang-format is not installed")
        sys.exit(SKIPPED_CODE)
    run_check(check)
