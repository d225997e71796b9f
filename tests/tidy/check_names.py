#!/usr/bin/env python3
"""Checks what may lie in the tree: known top-level entries, no large files, no paths of one machine, no leftovers."""

import re

from source_tree import CXX_SUFFIXES, read_text, run_check

TOP_ENTRIES = {"CMakeLists.txt", "README.md", "proto", "server", "storage", "gpu", "client", "tests", "deploy"}
BYTES_MAX = 1 << 20
SOURCE_NAME = re.compile(r"[a-z0-9_]+\.[a-z]+")
MACHINE_PATH = re.compile(r"(?<![\w./:~}-])/(?:home|root|work|Users)/[\w.-]+")
LEFTOVER = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b")


def check_path(top, path):
    entry = path.parts[0]
    if entry not in TOP_ENTRIES and not entry.startswith("."):
        yield f"{path}: '{entry}' does not belong at the top of the tree"
    size = (top / path).stat().st_size
    if size > BYTES_MAX:
        yield f"{path}: {size} bytes; files of more than {BYTES_MAX} are not kept in the tree"
    if path.suffix in CXX_SUFFIXES | {".py", ".proto"} and not SOURCE_NAME.fullmatch(path.name):
        yield f"{path}: source names are snake_case"


def check_text(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        for found in MACHINE_PATH.findall(line):
            yield f"{path}:{number}: path of one machine: {found}"
        for found in LEFTOVER.findall(line):
            yield f"{path}:{number}: leftover: {found}"
    if path.suffix in {".h", ".cuh"} and "#pragma once" not in text:
        yield f"{path}: a header without #pragma once"


def check(top, files):
    findings = []
    for path in files:
        findings.extend(check_path(top, path))
        findings.extend(check_text(path, read_text(top, path) or ""))
    return findings


if __name__ == "__main__":
    run_check(check)
