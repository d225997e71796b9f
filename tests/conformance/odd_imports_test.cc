// Files that others stumble over, all in one dataset: they are taken, and come back byte for byte.
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "storage/engine/originals.h"
#include "tests/storage/engine/store_helper.h"
#include "tests/storage/jpeg/file_editor.h"

namespace freqstore {
namespace {

using testutil::BuildJpeg;
using testutil::FindEnd;
using testutil::FindMarker;
using testutil::InsertBefore;
using testutil::JpegColor;
using testutil::Segment;

using Files = std::vector<std::pair<std::string, std::string>>;

/// A file with each Huffman table of a slot of its own right before the scan that needs it first.
std::string WithLateTables() {
  return BuildJpeg({.width = 50, .height = 30, .progressive = true, .optimized = true});
}

std::string WithTablesTwice() {
  std::string file = BuildJpeg({.width = 40, .height = 30, .scans = {{{0}}, {{1}}, {{2}}}});
  const std::string tables =
      testutil::SegmentOf(file, marker::kDqt) + testutil::SegmentOf(file, marker::kDht);
  const size_t first_scan = FindMarker(file, marker::kSos);
  return file.insert(FindMarker(file, marker::kSos, first_scan + 1), tables);
}

std::string WithRestartsOutOfOrder() {
  std::string file = BuildJpeg({.width = 60, .height = 60, .restart_interval = 4});
  const size_t scan = FindMarker(file, marker::kSos);
  std::swap(file[FindMarker(file, 0xd1, scan) + 1], file[FindMarker(file, 0xd2, scan) + 1]);
  return file;
}

/// TIFF whose IFD lies beyond its end.
std::string WithDirectoryBeyondEnd() {
  return BuildJpeg({.exif = std::string("Exif\0\0II*\0\xff\xff\0\0", 14)});
}

Files OddFiles() {
  const std::string plain = BuildJpeg({.width = 40, .height = 30});
  const std::string other = BuildJpeg({.width = 24, .height = 24, .quality = 90});
  return {
      {"plain", plain},
      {"cmyk", BuildJpeg({.width = 40, .height = 30, .color = JpegColor::kCmyk})},
      {"ycck", BuildJpeg({.width = 40, .height = 30, .color = JpegColor::kYcck})},
      {"rgb", BuildJpeg({.width = 40, .height = 30, .color = JpegColor::kRgb})},
      {"grayscale", BuildJpeg({.width = 40, .height = 30, .color = JpegColor::kGrayscale})},
      {"4:2:0, 33 high", BuildJpeg({.width = 40, .height = 33, .sampling = {{2, 2}}})},
      {"2x2/1x2", BuildJpeg({.width = 40, .height = 30, .sampling = {{2, 2}, {1, 2}, {1, 2}}})},
      {"all 2x1", BuildJpeg({.width = 40, .height = 30, .sampling = {{2, 1}, {2, 1}, {2, 1}}})},
      {"1x3", BuildJpeg({.width = 40, .height = 30, .sampling = {{1, 3}}})},
      {"data after EOI", plain + "PK\3\4"},
      {"no EOI", plain.substr(0, FindEnd(plain))},
      {"two images", plain + other},
      {"tables twice", WithTablesTwice()},
      {"late tables", WithLateTables()},
      {"restarts out of order", WithRestartsOutOfOrder()},
      {"DHT without tables", InsertBefore(plain, marker::kSos, Segment(marker::kDht, ""))},
      {"IFD beyond the end", WithDirectoryBeyondEnd()},
      {"cut off", plain.substr(0, FindMarker(plain, marker::kSos) + 60)},
      {"arithmetic", BuildJpeg({.width = 40, .height = 30, .arithmetic = true})},
  };
}

std::map<std::string, std::string> ReadAllFiles(StorageEngine& engine) {
  std::map<std::string, std::string> files;
  const auto snapshot = *engine.Snapshot("d");
  for (const Part& part : snapshot->parts()) {
    const ImageRows rows = *snapshot->ReadRows(part);
    std::vector<uint32_t> ordinals(part.images);
    std::iota(ordinals.begin(), ordinals.end(), 0U);
    const absl::Status status = ReadOriginalFiles(
        *snapshot, part, ordinals, [&](uint32_t ordinal, const absl::StatusOr<std::string>& file) {
          CAPTURE((*rows)[ordinal].image_id);
          REQUIRE(file.ok());
          files[(*rows)[ordinal].image_id] = *file;
          return true;
        });
    REQUIRE(status.ok());
  }
  return files;
}

}  // namespace

TEST_CASE("Files that others stumble over come back from one dataset", "[conformance]") {
  testutil::StoreHelper store;
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_BALANCED).ok());
  const Files files = OddFiles();
  Files sent = files;
  sent.emplace_back("DHT of length 0",
                    InsertBefore(files[0].second, marker::kSos, std::string("\xff\xc4\0\0", 4)));
  for (const auto& [id, reason] : store.Import("d", sent)) {
    CAPTURE(id);
    CHECK(reason == (id == "DHT of length 0" ? "CORRUPT_JPEG" : "OK"));
  }
  const std::map<std::string, std::string> expected(files.begin(), files.end());
  CHECK(ReadAllFiles(store.engine()) == expected);
  REQUIRE(store.engine().Flush("d").ok());
  CHECK(ReadAllFiles(store.engine()) == expected);
  store.Close();
  REQUIRE(store.Open().ok());
  CHECK(ReadAllFiles(store.engine()) == expected);

  const auto stats = store.engine().Describe("d");
  REQUIRE(stats.ok());
  CHECK(stats->kept.size() == 2);
  CHECK(stats->kept.at(KeepReason::kArithmeticCoding).images == 1);
  // The file that is cut off, and that whose markers lead libjpeg-turbo to other blocks.
  CHECK(stats->kept.at(KeepReason::kDamagedScan).images == 2);
}

}  // namespace freqstore
