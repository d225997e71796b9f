#!/usr/bin/env python3
"""Checks who includes whom: see "Layering" below for the rules.

Also checks the build's side of it: a folder with sources, or one above it, has a CMakeLists.txt; a folder has one
library at most; and every source is named by a CMakeLists.txt of its own folder or of one above.
"""

import fnmatch
import pathlib
import re

from source_tree import CXX_SUFFIXES, is_under, read_text, run_check

# Layering: what files under a folder may include of ours, besides files under the folder itself. The longest folder
# that holds the file counts; generated headers are named as they are included (freqstore/v1/..., without proto/).
WIRE = ["freqstore/v1", "inference"]
STORED = ["freqstore/storage/v1"]
BELOW_GPU = ["storage/base", "storage/codec", "storage/segment", "gpu"]
MAY_INCLUDE = {
    "storage/base": [],
    "storage/jpeg": ["storage/base", *STORED],
    "storage/codec": ["storage/base", *STORED],
    "storage/segment": ["storage/base", "storage/jpeg", "storage/codec", *STORED],
    "storage/kv": ["storage/base", *STORED],
    "storage/attribute": ["storage/base", *STORED],
    "storage/catalog": ["storage/base", "storage/attribute", "storage/jpeg", "storage/codec", "storage/segment",
                        "storage/kv", *STORED],
    "storage/engine": ["storage", *STORED],
    "gpu": BELOW_GPU,
    "server": ["storage", "gpu", *STORED, *WIRE],
    "client": WIRE,
    "deploy/sample": ["storage/base"],
    "tests": ["storage", "gpu", "server", "client", "deploy", *STORED, *WIRE],
}

# Headers of others that are kept in few places: pattern of the included path, and the folders or patterns of
# files that may.
KEPT_APART = [
    ("RocksDB", re.compile(r"rocksdb/"), ["storage/kv/rocks_*"]),
    ("CUDA", re.compile(r"(cuda|cublas|cub/|thrust/|nvml|nvtx|device_launch_parameters|mma\.h)"),
     ["gpu/cuda", "gpu/kernels", "tests/gpu/cuda"]),
    ("gRPC", re.compile(r"(grpc|grpcpp)/|.*\.grpc\.pb\.h"), ["server", "client", "proto", "tests"]),
]

OUR_TOPS = {"storage", "gpu", "server", "client", "deploy", "tests", "freqstore", "inference"}
BUILT_TOPS = {"storage", "gpu", "server", "client", "deploy", "tests"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LIBRARY = re.compile(r"^\s*(?:freqstore_library|add_library)\s*\(\s*(\S+)(?!\s+ALIAS)", re.MULTILINE)


def owning_folder(path):
    """The longest key of MAY_INCLUDE that holds `path`, or None."""
    holders = [folder for folder in MAY_INCLUDE if is_under(path, folder)]
    return max(holders, key=len, default=None)


def check_include(path, quote, included):
    """What is wrong with one #include of the file at `path`, or None."""
    for library, pattern, allowed in KEPT_APART:
        if pattern.match(included) and not any(is_under(path, place) or fnmatch.fnmatch(str(path), place)
                                               for place in allowed):
            return f"{library} headers are for {', '.join(allowed)} only, not for this file: {included}"
    if quote == '"' and "/" not in included:
        return f'include by the path from the top, not "{included}"'
    if included.split("/")[0] not in OUR_TOPS:
        return None
    folder = owning_folder(path)
    if folder is None:
        return f"no layering rule for this folder; add one to {pathlib.Path(__file__).name}"
    if any(is_under(included, allowed) for allowed in [folder, *MAY_INCLUDE[folder]]):
        return None
    return f"{folder}/ may not include {included}"


def check_includes(top, files):
    for path in files:
        if path.suffix not in CXX_SUFFIXES:
            continue
        for number, line in enumerate((read_text(top, path) or "").splitlines(), 1):
            match = INCLUDE.match(line)
            fault = match and check_include(path, *match.groups())
            if fault:
                yield f"{path}:{number}: {fault}"


def check_targets(top, files):
    """One library a folder at most, and no source that nothing builds."""
    listings = {path.parent: read_text(top, path) or "" for path in files if path.name == "CMakeLists.txt"}
    folders = {path.parent for path in files if path.suffix in CXX_SUFFIXES and path.parts[0] in BUILT_TOPS}
    for folder in sorted(folders):
        if not any(holder in listings for holder in [folder, *folder.parents[:-1]]):
            yield f"{folder}: has sources but no CMakeLists.txt"
        names = LIBRARY.findall(listings.get(folder, ""))
        if len(names) > 1 and folder.parts[0] != "tests":
            yield f"{folder}/CMakeLists.txt: one library a folder, not {', '.join(names)}"
    for path in files:
        if path.suffix not in {".cc", ".cu"} or path.parts[0] not in BUILT_TOPS:
            continue
        above = [listings[folder] for folder in path.parents if folder in listings]
        if not any(path.name in listing or "GLOB" in listing for listing in above):
            yield f"{path}: in no CMakeLists.txt, so nothing builds it"


def check(top, files):
    return [*check_includes(top, files), *check_targets(top, files)]


if __name__ == "__main__":
    run_check(check)
