#!/usr/bin/env python3
"""Tests of the checks themselves, on small trees made for each case."""

import pathlib
import tempfile
import unittest

import check_file_length
import check_layering
import check_names
import source_tree


class TidyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)

    def write(self, path, text):
        (self.top / path).parent.mkdir(parents=True, exist_ok=True)
        (self.top / path).write_text(text)

    def findings(self, check):
        return check(self.top, source_tree.list_files(self.top))

    def include_faults(self, path, included):
        """What the layering check says of a file with this one include."""
        self.write(path, f"#include {included}\n")
        return list(check_layering.check_includes(self.top, [pathlib.PurePosixPath(path)]))

    def assert_allowed(self, path, included):
        self.assertEqual(self.include_faults(path, included), [])

    def assert_refused(self, path, included):
        faults = self.include_faults(path, included)
        self.assertEqual(len(faults), 1, f"{path} including {included}")
        self.assertTrue(faults[0].startswith(f"{path}:1: "))


class LayeringTest(TidyTest):
    def test_storage_goes_downward(self):
        self.assert_allowed("storage/engine/a.cc", '"storage/catalog/b.h"')
        self.assert_allowed("storage/segment/a.cc", '"storage/codec/b.h"')
        self.assert_allowed("storage/base/a.cc", '"storage/base/b.h"')
        self.assert_refused("storage/base/a.cc", '"storage/codec/b.h"')
        self.assert_refused("storage/jpeg/a.cc", '"storage/codec/b.h"')
        self.assert_refused("storage/codec/a.cc", '"storage/segment/b.h"')
        self.assert_refused("storage/kv/a.cc", '"storage/segment/b.h"')
        self.assert_refused("storage/catalog/a.cc", '"storage/engine/b.h"')
        self.assert_refused("storage/engine/a.cc", '"gpu/cpu/b.h"')

    def test_gpu_takes_no_engine(self):
        self.assert_allowed("gpu/cpu/a.cc", '"storage/segment/b.h"')
        self.assert_allowed("gpu/cpu/a.cc", '"gpu/device/b.h"')
        self.assert_refused("gpu/cpu/a.cc", '"storage/engine/b.h"')
        self.assert_refused("gpu/worker/a.cc", '"storage/kv/b.h"')
        self.assert_refused("gpu/worker/a.cc", '"server/exec/b.h"')

    def test_client_takes_the_wire_only(self):
        self.assert_allowed("client/cli/a.cc", '"client/cpp/b.h"')
        self.assert_allowed("client/cpp/a.cc", '"freqstore/v1/query.grpc.pb.h"')
        self.assert_refused("client/cpp/a.cc", '"storage/base/status.h"')
        self.assert_refused("client/cpp/a.cc", '"freqstore/storage/v1/segment.pb.h"')

    def test_server_takes_all_but_clients_and_tests(self):
        self.assert_allowed("server/exec/a.cc", '"storage/engine/b.h"')
        self.assert_allowed("server/exec/a.cc", '"server/plan/b.h"')
        self.assert_refused("server/rpc/a.cc", '"client/cpp/b.h"')
        self.assert_refused("server/rpc/a.cc", '"tests/testutil/b.h"')

    def test_libraries_are_kept_apart(self):
        self.assert_allowed("storage/kv/rocks_kv_store.cc", "<rocksdb/db.h>")
        self.assert_refused("storage/kv/kv_store.h", "<rocksdb/db.h>")
        self.assert_refused("storage/engine/a.cc", '"rocksdb/db.h"')
        self.assert_allowed("gpu/cuda/a.cu", "<cuda_runtime.h>")
        self.assert_refused("gpu/worker/a.cc", "<cuda_runtime.h>")
        self.assert_refused("gpu/cpu/a.cc", "<cublas_v2.h>")
        self.assert_allowed("server/rpc/a.cc", "<grpcpp/server.h>")
        self.assert_refused("storage/engine/a.cc", "<grpcpp/server.h>")
        self.assert_refused("gpu/worker/a.cc", "<grpc/grpc.h>")

    def test_paths_start_at_the_top(self):
        self.assert_refused("storage/codec/a.cc", '"b.h"')
        self.assert_allowed("storage/codec/a.cc", '"absl/status/status.h"')

    def test_a_folder_without_a_rule_is_reported(self):
        self.assert_refused("deploy/other/a.cc", '"storage/base/b.h"')

    def test_sources_need_a_target(self):
        self.write("storage/codec/a.cc", "")
        self.assertEqual(len(self.findings(check_layering.check)), 2)
        self.write("storage/codec/CMakeLists.txt", "freqstore_library(freqstore_codec SOURCES b.cc)\n")
        self.assertEqual(self.findings(check_layering.check),
                         ["storage/codec/a.cc: in no CMakeLists.txt, so nothing builds it"])
        self.write("storage/codec/CMakeLists.txt", "freqstore_library(freqstore_codec SOURCES a.cc)\n")
        self.assertEqual(self.findings(check_layering.check), [])

    def test_one_library_a_folder(self):
        self.write("gpu/cpu/a.cc", "")
        self.write("gpu/cpu/CMakeLists.txt", "freqstore_library(one SOURCES a.cc)\nadd_library(two STATIC a.cc)\n")
        self.assertEqual(self.findings(check_layering.check),
                         ["gpu/cpu/CMakeLists.txt: one library a folder, not one, two"])


class FileLengthTest(TidyTest):
    def test_limit(self):
        self.write("storage/base/a.cc", "\n" * check_file_length.LINES_MAX)
        self.assertEqual(self.findings(check_file_length.check), [])
        self.write("storage/base/a.cc", "\n" * (check_file_length.LINES_MAX + 1))
        self.assertEqual(len(self.findings(check_file_length.check)), 1)


class NamesTest(TidyTest):
    def assert_named(self, path, text, count):
        self.write(path, text)
        self.assertEqual(len(self.findings(check_names.check)), count, self.findings(check_names.check))

    def test_a_clean_tree(self):
        self.assert_named("storage/base/a.h", "#pragma once\n// see https://example.org/home/x and ./work/x\n", 0)

    def test_leftovers(self):
        self.assert_named("storage/base/a.cc", "// TO" + "DO: more\n", 1)

    def test_machine_paths(self):
        self.assert_named("deploy/a.sh", "cd /ho" + "me/someone/src\n", 1)

    def test_entries_at_the_top(self):
        self.assert_named("notes/a.md", "", 1)

    def test_large_files(self):
        self.assert_named("tests/golden/a.bin", " " * (check_names.BYTES_MAX + 1), 1)

    def test_source_names(self):
        self.assert_named("storage/base/MyFile.cc", "", 1)

    def test_headers_guard_themselves(self):
        self.assert_named("storage/base/a.h", "", 1)


if __name__ == "__main__":
    unittest.main()
