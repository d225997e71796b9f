#include "storage/jpeg/jpeg_limits.h"

#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "storage/base/resident_memory.h"
#include "storage/base/status.h"
#include "storage/jpeg/jpeg_reader.h"
#include "tests/storage/jpeg/file_editor.h"
#include "tests/testutil/jpeg_builder.h"

namespace freqstore {
namespace {

using testutil::BuildJpeg;
using testutil::FindMarker;
using testutil::JpegColor;

absl::StatusOr<JpegImage> Read(const std::string& file, const JpegLimits& limits = {}) {
  return ReadJpeg(AsBytes(file), limits);
}

}  // namespace

TEST_CASE("Limits are named", "[jpeg]") {
  const std::string file =
      BuildJpeg({.width = 20, .height = 10, .sampling = {}, .progressive = true, .exif = {}});
  CHECK(Read(file, {.pixels_max = 200}).ok());
  const absl::Status pixels = Read(file, {.pixels_max = 199}).status();
  CHECK(ReasonOf(pixels) == "LIMIT_PIXELS");
  CHECK(pixels.code() == absl::StatusCode::kResourceExhausted);
  CHECK(MessageOf(pixels).find("200") != std::string_view::npos);
  CHECK(MessageOf(pixels).find("199") != std::string_view::npos);

  const absl::Status scans = Read(file, {.scans_max = 3}).status();
  CHECK(ReasonOf(scans) == "LIMIT_SCANS");
  CHECK(scans.code() == absl::StatusCode::kResourceExhausted);
}

TEST_CASE("The limit on pixels is checked for sides that libjpeg-turbo refuses", "[jpeg]") {
  std::string file = BuildJpeg({.sampling = {}, .exif = {}});
  const size_t sof = FindMarker(file, marker::kSof0);
  file[sof + 5] = file[sof + 6] = '\xff';
  CHECK(ReasonOf(Read(file).status()) == "UNSUPPORTED_JPEG");
  file[sof + 7] = file[sof + 8] = '\xff';
  CHECK(ReasonOf(Read(file).status()) == "LIMIT_PIXELS");
}

TEST_CASE("A large image needs some data", "[jpeg]") {
  const bool progressive = GENERATE(false, true);
  const std::string file = BuildJpeg({.width = 64, .height = 64, .progressive = progressive});
  CHECK(Read(testutil::WithFrameSize(file, 2000, 1000)).ok());
  const absl::Status large = Read(testutil::WithFrameSize(file, 13000, 13000)).status();
  CHECK(ReasonOf(large) == "CORRUPT_JPEG");
  CHECK(MessageOf(large).find("13000 x 13000") != std::string_view::npos);
}

TEST_CASE("A large image of one colour has enough data", "[jpeg]") {
  const bool progressive = GENERATE(false, true);
  const std::vector<std::vector<int16_t>> blocks(300'000, std::vector<int16_t>(kFrequencies));
  CHECK(Read(testutil::BuildJpegFromBlocks(blocks, 600, progressive)).ok());
}

TEST_CASE("A file of a thousand scans is stopped", "[jpeg]") {
  std::string file =
      BuildJpeg({.color = JpegColor::kGrayscale, .sampling = {}, .progressive = true, .exif = {}});
  const size_t last_scan = FindMarker(file, marker::kSos, 0, true);
  const size_t end = FindMarker(file, marker::kEoi, 0, true);
  const std::string scan = file.substr(last_scan, end - last_scan);
  for (int i = 0; i < 1000; ++i) file.insert(end, scan);
  CHECK(ReasonOf(Read(file).status()) == "LIMIT_SCANS");
  CHECK(Read(file, {.scans_max = 2000}).ok());
}

TEST_CASE("A flood of markers is stopped before any is kept", "[jpeg]") {
  const std::string file = BuildJpeg({});
  std::string many = file.substr(0, 2);
  for (int i = 0; i < 5000; ++i) many += std::string("\xff\xe1\0\2", 4);
  const absl::Status markers = Read(many + file.substr(2)).status();
  CHECK(ReasonOf(markers) == "LIMIT_MARKERS");
  CHECK(MessageOf(markers).find("4096") != std::string_view::npos);

  std::string large = file.substr(0, 2);
  for (int i = 0; i < 300; ++i) large += "\xff\xe1\xff\xff" + std::string(0xfffd, 'x');
  const absl::Status bytes = Read(large + file.substr(2)).status();
  CHECK(ReasonOf(bytes) == "LIMIT_MARKER_BYTES");
  CHECK(bytes.code() == absl::StatusCode::kResourceExhausted);
  CHECK(Read(large + file.substr(2), {.marker_bytes_max = 30 << 20}).ok());
  // What lies behind EOI does not count.
  CHECK(Read(file + large).ok());
}

TEST_CASE("Bad files leave no memory behind", "[jpeg]") {
  const std::string file = BuildJpeg({.width = 32, .height = 32, .progressive = true});
  const auto read_bad_files = [&] {
    for (int i = 0; i < 20'000; ++i) {
      std::string damaged = file;
      const size_t place = 2 + static_cast<size_t>(i) * 7 % (file.size() - 2);
      damaged[place] = static_cast<char>(damaged[place] ^ (1 + i % 255));
      if (i % 3 == 0) damaged.resize(place);
      (void)Read(damaged, {.pixels_max = 1 << 16});
    }
  };
  read_bad_files();
  const uint64_t before = ResidentBytes();
  read_bad_files();
  CHECK(ResidentBytes() < before + (size_t{2} << 20));
}

}  // namespace freqstore
