#include "storage/jpeg/jpeg_envelope.h"

#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "tests/storage/jpeg/file_editor.h"
#include "tests/storage/jpeg/round_trip.h"
#include "tests/testutil/jpeg_builder.h"

namespace freqstore {
namespace {

using testutil::BuildJpeg;
using testutil::FindEnd;
using testutil::FindMarker;
using testutil::JpegColor;
using testutil::JpegScan;
using testutil::Marker;
using testutil::RoundTrip;

const std::vector<std::vector<std::pair<int, int>>> kSamplings = {{},
                                                                  {{2, 2}},
                                                                  {{2, 1}},
                                                                  {{1, 2}},
                                                                  {{4, 1}},
                                                                  {{1, 3}},
                                                                  {{2, 2}, {1, 2}, {1, 2}},
                                                                  {{2, 1}, {2, 1}, {2, 1}},
                                                                  {{1, 1}, {2, 2}, {1, 2}},
                                                                  {{3, 1}, {2, 1}}};

/// DC together, AC a component at a time.
const std::vector<JpegScan> kProgressiveScript = {
    {{0, 1, 2}, 0, 0, 0, 2}, {{2}, 1, 63, 0, 1},      {{0}, 1, 8, 0, 3},       {{1}, 1, 63, 0, 1},
    {{0}, 9, 63, 0, 3},      {{0}, 1, 63, 3, 2},      {{0, 1, 2}, 0, 0, 2, 1}, {{0}, 1, 63, 2, 1},
    {{1}, 1, 63, 1, 0},      {{0, 1, 2}, 0, 0, 1, 0}, {{2}, 1, 63, 1, 0},      {{0}, 1, 63, 1, 0}};

}  // namespace

TEST_CASE("Files of every shape are rebuilt", "[envelope]") {
  const auto [width, height] =
      GENERATE(std::pair{1, 1}, std::pair{17, 33}, std::pair{70, 9}, std::pair{3, 130}, std::pair{100, 75});
  const size_t sampling = GENERATE(Catch::Generators::range(size_t{0}, kSamplings.size()));
  const bool progressive = GENERATE(false, true);
  const bool optimized = GENERATE(false, true);
  const unsigned restart_interval = GENERATE(0u, 1u, 5u);
  CAPTURE(width, height, sampling, progressive, optimized, restart_interval);
  size_t envelope_bytes = 0;
  CHECK(RoundTrip(BuildJpeg({.width = width,
                             .height = height,
                             .sampling = kSamplings[sampling],
                             .progressive = progressive,
                             .optimized = optimized,
                             .restart_interval = restart_interval}),
                  &envelope_bytes) == KeepReason::kNone);
  CHECK(envelope_bytes <= 60);
}

TEST_CASE("The example of ENVELOPE.md is right", "[envelope]") {
  const std::string file = BuildJpeg({.sampling = {{2, 2}}});
  const auto image = ReadJpeg(AsBytes(file), {});
  REQUIRE(image.ok());
  CHECK(
      MakeEnvelope(AsBytes(file), *image).envelope ==
      std::string(
          "\x01\x44\x05\x01\x00\x05\x01\x11\x47\xc0\x06\x01\x00\x06\x01\x24\x06\x01\x11\x06\x01\x35\x28\x01",
          24));
}

TEST_CASE("Files of every colour model are rebuilt", "[envelope]") {
  const JpegColor color =
      GENERATE(JpegColor::kGrayscale, JpegColor::kYCbCr, JpegColor::kRgb, JpegColor::kCmyk, JpegColor::kYcck);
  const bool progressive = GENERATE(false, true);
  const bool jfif = GENERATE(false, true);
  const int quality = GENERATE(1, 50, 100);
  CAPTURE(static_cast<int>(color), progressive, jfif, quality);
  CHECK(RoundTrip(BuildJpeg({.width = 37,
                             .height = 21,
                             .color = color,
                             .sampling = {{2, 1}},
                             .progressive = progressive,
                             .jfif = jfif,
                             .quality = quality,
                             .exif = "Exif"})) == KeepReason::kNone);
}

TEST_CASE("Unusual scan scripts are rebuilt", "[envelope]") {
  const std::vector<JpegScan> script = GENERATE(
      std::vector<JpegScan>{{{0}}, {{1}}, {{2}}}, std::vector<JpegScan>{{{0, 2}}, {{1}}},
      std::vector<JpegScan>{{{0, 1, 2}, 0, 0}, {{0}, 1, 63}, {{1}, 1, 63}, {{2}, 1, 63}},
      std::vector<JpegScan>{{{1}, 0, 0}, {{0, 2}, 0, 0}, {{0}, 1, 1}, {{0}, 2, 63}}, kProgressiveScript);
  const bool optimized = GENERATE(false, true);
  const unsigned restart_interval = GENERATE(0u, 3u);
  CHECK(RoundTrip(BuildJpeg({.width = 90,
                             .height = 50,
                             .sampling = {{2, 2}},
                             .quality = 95,
                             .optimized = optimized,
                             .restart_interval = restart_interval,
                             .scans = script})) == KeepReason::kNone);
}

TEST_CASE("End-of-band runs of the greatest length are rebuilt", "[envelope]") {
  // More empty blocks in a row than one run may have, then one that is not.
  std::vector<std::vector<int16_t>> blocks(70'000, std::vector<int16_t>(kFrequencies));
  for (size_t b = 0; b < blocks.size(); ++b) blocks[b][0] = static_cast<int16_t>(b % 100);
  blocks[66'000][63] = 5;
  CHECK(RoundTrip(testutil::BuildJpegFromBlocks(blocks, 500, true)) == KeepReason::kNone);
}

TEST_CASE("Runs that end for their many correction bits are rebuilt", "[envelope]") {
  std::vector<std::vector<int16_t>> blocks(200, std::vector<int16_t>(kFrequencies));
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (size_t i = 0; i < kFrequencies; ++i)
      blocks[b][i] = static_cast<int16_t>((b + i) % 3 == 0 ? -9 : 8 + static_cast<int>(i % 7));
    if (b % 50 == 0) blocks[b][7] = 1;
  }
  CHECK(RoundTrip(testutil::BuildJpegFromBlocks(blocks, 20, true)) == KeepReason::kNone);
}

TEST_CASE("Files whose bytes have to be kept say why", "[envelope]") {
  const std::string file = BuildJpeg({.width = 60, .height = 60, .restart_interval = 4});
  CHECK(RoundTrip(BuildJpeg({.width = 60, .height = 60, .arithmetic = true})) ==
        KeepReason::kArithmeticCoding);
  CHECK(RoundTrip(BuildJpeg({.width = 60, .height = 60, .progressive = true, .arithmetic = true})) ==
        KeepReason::kArithmeticCoding);

  SECTION("cut in the scan") {
    CHECK(RoundTrip(file.substr(0, FindMarker(file, marker::kSos) + 300)) == KeepReason::kDamagedScan);
  }
  SECTION("a restart marker that is missing") {
    std::string changed = file;
    changed.erase(FindMarker(changed, 0xd2, FindMarker(changed, marker::kSos)), 2);
    CHECK(RoundTrip(changed) == KeepReason::kDamagedScan);
  }
  SECTION("a component coded twice") {
    const std::vector<JpegScan> script = {{{0}}, {{1}}, {{2}}};
    const std::string light = BuildJpeg({.width = 60, .height = 60, .scans = script});
    const std::string dark = BuildJpeg({.width = 60, .height = 60, .quality = 20, .scans = script});
    const size_t last_scan = FindMarker(dark, marker::kSos, 0, true);
    std::string scan = dark.substr(last_scan, FindEnd(dark) - last_scan);
    scan[5] = 1;  // the id of the first component
    CHECK(RoundTrip(light.substr(0, FindEnd(light)) + scan + Marker(marker::kEoi)) ==
          KeepReason::kNotRebuilt);
  }
}

TEST_CASE("An envelope that is no smaller than its file is not made", "[envelope]") {
  // Three of four luma blocks become padding, each of which takes two bytes and one a value.
  const std::string file =
      BuildJpeg({.width = 32, .height = 8000, .sampling = {{4, 1}}, .quality = 8, .optimized = true});
  CHECK(RoundTrip(file) == KeepReason::kNone);
  CHECK(RoundTrip(testutil::WithFrameSize(file, 8, 8000)) == KeepReason::kLargeEnvelope);
}

TEST_CASE("An envelope needs limits that the file keeps to", "[envelope]") {
  const std::string file = BuildJpeg({.width = 60, .height = 60, .progressive = true});
  const auto image = ReadJpeg(AsBytes(file), {});
  REQUIRE(image.ok());
  CHECK(MakeEnvelope(AsBytes(file), *image, {.scans_max = 3}).keep_reason == KeepReason::kNotRebuilt);
}

TEST_CASE("A file of more scans than an envelope may have is kept", "[envelope]") {
  std::string file = BuildJpeg({.color = JpegColor::kGrayscale, .progressive = true});
  const size_t last_scan = FindMarker(file, marker::kSos, 0, true);
  const std::string scan = file.substr(last_scan, FindEnd(file) - last_scan);
  for (int i = 0; i < 1000; ++i) file.insert(last_scan, scan);
  const JpegLimits limits{.scans_max = 2000};
  const auto image = ReadJpeg(AsBytes(file), limits);
  REQUIRE(image.ok());
  CHECK(MakeEnvelope(AsBytes(file), *image, limits).keep_reason == KeepReason::kManyScans);
}

TEST_CASE("Keep reasons have stable names", "[envelope]") {
  CHECK(KeepReasonName(KeepReason::kNone) == "NONE");
  CHECK(KeepReasonName(KeepReason::kArithmeticCoding) == "ARITHMETIC_CODING");
  CHECK(KeepReasonName(KeepReason::kDamagedScan) == "DAMAGED_SCAN");
  CHECK(KeepReasonName(KeepReason::kManyScans) == "MANY_SCANS");
  CHECK(KeepReasonName(KeepReason::kLargeEnvelope) == "LARGE_ENVELOPE");
  CHECK(KeepReasonName(KeepReason::kNotRebuilt) == "NOT_REBUILT");
  CHECK(static_cast<int>(KeepReason::kNotRebuilt) == 5);
}

}  // namespace freqstore
