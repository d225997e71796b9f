#!/usr/bin/env python3
"""Checks that no source is longer than 400 lines; lists those over 250, the length to stay under, as information."""

from source_tree import CXX_SUFFIXES, read_text, run_check

LINES_MAX = 400
LINES_WANTED = 250
SUFFIXES = CXX_SUFFIXES | {".py", ".sh", ".proto"}


def check(top, files):
    findings = []
    for path in files:
        if path.suffix not in SUFFIXES:
            continue
        lines = len((read_text(top, path) or "").splitlines())
        if lines > LINES_MAX:
            findings.append(f"{path}: {lines} lines; split it, {LINES_MAX} is the limit")
        elif lines > LINES_WANTED:
            print(f"information: {path} has {lines} lines, more than {LINES_WANTED}")
    return findings


if __name__ == "__main__":
    run_check(check)
