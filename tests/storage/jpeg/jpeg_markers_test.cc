#include "storage/jpeg/jpeg_markers.h"

#include <string>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "tests/storage/jpeg/file_editor.h"

namespace freqstore {
namespace {

using testutil::Marker;
using testutil::Segment;

std::string Put(const JpegFile& parsed) {
  std::string file = Marker(marker::kSoi);
  for (const JpegSegment& segment : parsed.segments) {
    file += AsString(segment.gap);
    file += segment.has_length ? Segment(segment.code, std::string(AsString(segment.payload)))
                               : Marker(segment.code);
    file += AsString(segment.entropy);
  }
  return file += AsString(parsed.tail);
}

const std::string kScan = Segment(marker::kSos, std::string("\1\1\0\0\x3f\0", 6));

}  // namespace

TEST_CASE("A file is taken apart into its segments", "[markers]") {
  const std::string file = Marker(marker::kSoi) + Segment(marker::kApp0, "payload") + "gap\xff" +
                           Segment(marker::kDqt, "") + kScan +
                           std::string(
                               "ab\xff\0\xff\xd3"
                               "cd\xff\xff",
                               10) +
                           Segment(marker::kDri, "12") + Marker(marker::kTem) + Marker(marker::kEoi) +
                           "tail\xff\xd8";
  const auto parsed = ParseJpegFile(AsBytes(file), {});
  REQUIRE(parsed.ok());
  REQUIRE(parsed->segments.size() == 6);
  CHECK(AsString(parsed->segments[0].payload) == "payload");
  CHECK(AsString(parsed->segments[1].gap) == "gap\xff");
  CHECK(parsed->segments[1].has_length);
  CHECK(AsString(parsed->segments[2].entropy) == std::string_view("ab\xff\0\xff\xd3"
                                                                  "cd",
                                                                  8));
  CHECK(AsString(parsed->segments[3].gap) == "\xff\xff");
  CHECK_FALSE(parsed->segments[4].has_length);
  CHECK(parsed->has_eoi());
  CHECK(AsString(parsed->tail) == "tail\xff\xd8");
  CHECK(Put(*parsed) == file);
}

TEST_CASE("A file may end anywhere", "[markers]") {
  const std::string file = Marker(marker::kSoi) + Segment(marker::kApp0, "payload") + "gap" + kScan +
                           std::string(
                               "ab\xff\0"
                               "c",
                               5) +
                           Marker(marker::kEoi);
  for (size_t size = 0; size <= file.size(); ++size) {
    const auto parsed = ParseJpegFile(AsBytes(file).first(size), {});
    REQUIRE(parsed.ok());
    CHECK(parsed->has_eoi() == (size == file.size()));
    if (size >= 2) CHECK(Put(*parsed) == file.substr(0, size));
  }
}

TEST_CASE("What is no JPEG file is all tail", "[markers]") {
  for (const char* file : {"", "\xff", "x", "\x89PNG", "\0\xff\xd8"}) {
    const auto parsed = ParseJpegFile(AsBytes(file), {});
    REQUIRE(parsed.ok());
    CHECK(parsed->segments.empty());
    CHECK(AsString(parsed->tail) == file);
  }
}

TEST_CASE("A length below two is none", "[markers]") {
  const std::string file = Marker(marker::kSoi) + std::string("\xff\xfe\0\1", 4) + Marker(marker::kEoi);
  const auto parsed = ParseJpegFile(AsBytes(file), {});
  REQUIRE(parsed.ok());
  REQUIRE(parsed->segments.size() == 2);
  CHECK_FALSE(parsed->segments[0].has_length);
  CHECK(parsed->segments[1].gap.size() == 2);
}

TEST_CASE("Limits on markers are checked", "[markers]") {
  std::string file = Marker(marker::kSoi);
  for (int i = 0; i < 10; ++i) file += kScan + std::string(1000, 'x');
  file += Marker(marker::kEoi) + std::string(1000, 't');
  const auto reason = [&](const JpegLimits& limits) {
    return ReasonOf(ParseJpegFile(AsBytes(file), limits).status());
  };
  CHECK(reason({.scans_max = 10, .markers_max = 11, .marker_bytes_max = 104}) == "OK");
  CHECK(reason({.scans_max = 9}) == "LIMIT_SCANS");
  CHECK(reason({.markers_max = 10}) == "LIMIT_MARKERS");
  CHECK(reason({.marker_bytes_max = 103}) == "LIMIT_MARKER_BYTES");
}

TEST_CASE("Headers are read exactly", "[markers]") {
  const std::string frame("\x08\0\x10\1\0\2\1\x21\0\2\x11\1", 12);
  const auto parsed = ParseFrameHeader(AsBytes(frame));
  REQUIRE(parsed);
  CHECK(parsed->precision == 8);
  CHECK(parsed->height == 16);
  CHECK(parsed->width == 256);
  REQUIRE(parsed->components.size() == 2);
  CHECK(parsed->components[0].h_samp == 2);
  CHECK(parsed->components[1].quantiser == 1);
  CHECK_FALSE(ParseFrameHeader(AsBytes(frame + "x")));
  CHECK_FALSE(ParseFrameHeader(AsBytes(frame).first(11)));
  CHECK_FALSE(ParseFrameHeader({}));

  const std::string scan("\2\1\x12\5\x30\3\x20\x54", 8);
  const auto header = ParseScanHeader(AsBytes(scan));
  REQUIRE(header);
  CHECK(header->component_count == 2);
  CHECK(header->components[0].dc_table == 1);
  CHECK(header->components[0].ac_table == 2);
  CHECK(header->components[1].id == 5);
  CHECK(header->spectral_start == 3);
  CHECK(header->spectral_end == 32);
  CHECK(header->approximation_high == 5);
  CHECK(header->approximation_low == 4);
  CHECK_FALSE(ParseScanHeader(AsBytes(scan).first(7)));
  CHECK_FALSE(ParseScanHeader(AsBytes(std::string("\0\0\0\0", 4))));
  CHECK_FALSE(ParseScanHeader(AsBytes(std::string("\5", 1) + std::string(13, '\1'))));
  CHECK_FALSE(ParseScanHeader({}));
}

TEST_CASE("DNL counts only right behind the first scan", "[markers]") {
  const std::string start = Marker(marker::kSoi) + kScan + "x";
  const std::string lines = Segment(marker::kDnl, "\1\2");
  const auto find = [](const std::string& file) {
    return FindNumberOfLines(*ParseJpegFile(AsBytes(file), {}));
  };
  CHECK(find(start + lines) == 0x102);
  CHECK(find(start + Segment(marker::kDri, "12") + lines) == std::nullopt);
  CHECK(find(start + Segment(marker::kDnl, "\1")) == std::nullopt);
  CHECK(find(start + Segment(marker::kDnl, std::string(2, '\0'))) == std::nullopt);
  CHECK(find(start) == std::nullopt);
  CHECK(find(Marker(marker::kSoi) + lines) == std::nullopt);
}

}  // namespace freqstore
