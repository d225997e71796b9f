// Files that are odd but whole are rebuilt from their envelopes.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/storage/jpeg/file_editor.h"
#include "tests/storage/jpeg/recoder.h"
#include "tests/storage/jpeg/round_trip.h"
#include "tests/testutil/jpeg_builder.h"

namespace freqstore {
namespace {

using testutil::BuildJpeg;
using testutil::FindEnd;
using testutil::FindMarker;
using testutil::InsertBefore;
using testutil::JpegColor;
using testutil::JpegScan;
using testutil::Marker;
using testutil::RoundTrip;
using testutil::Segment;

}  // namespace

TEST_CASE("Padding blocks that have content of their own are rebuilt", "[envelope]") {
  const bool progressive = GENERATE(false, true);
  const unsigned restart_interval = GENERATE(0u, 2u);
  const auto [width, height] = GENERATE(std::pair{49, 49}, std::pair{40, 64}, std::pair{64, 56});
  // The blocks beyond the smaller size were coded as part of the image.
  const std::string file = testutil::WithFrameSize(BuildJpeg({.width = 64,
                                                              .height = 64,
                                                              .sampling = {{2, 2}},
                                                              .progressive = progressive,
                                                              .restart_interval = restart_interval}),
                                                   width, height);
  CHECK(RoundTrip(file) == KeepReason::kNone);
}

TEST_CASE("DC scans with padding blocks of their own are rebuilt", "[envelope]") {
  const std::vector<JpegScan> script = {{{0, 1, 2}, 0, 0, 0, 1}, {{0, 1, 2}, 0, 0, 1, 0}};
  const std::string file = BuildJpeg({.width = 64, .height = 64, .sampling = {{2, 2}}, .scans = script});
  CHECK(RoundTrip(testutil::WithFrameSize(file, 50, 50)) == KeepReason::kNone);
}

TEST_CASE("What encoders leave between and behind markers is rebuilt", "[envelope]") {
  const bool progressive = GENERATE(false, true);
  const std::string file = BuildJpeg({.width = 40, .height = 30, .progressive = progressive});
  const std::string other = BuildJpeg({.width = 10, .height = 10});

  SECTION("nothing unusual") {
    CHECK(RoundTrip(file) == KeepReason::kNone);
  }
  SECTION("data after EOI") {
    CHECK(RoundTrip(file + "PK\3\4 and more \xff\xd8") == KeepReason::kNone);
  }
  SECTION("no EOI") {
    CHECK(RoundTrip(file.substr(0, FindEnd(file))) == KeepReason::kNone);
  }
  SECTION("half an EOI") {
    CHECK(RoundTrip(file.substr(0, FindEnd(file) + 1)) == KeepReason::kNone);
  }
  SECTION("two EOI") {
    CHECK(RoundTrip(file + Marker(marker::kEoi)) == KeepReason::kNone);
  }
  SECTION("two files") {
    CHECK(RoundTrip(file + file) == KeepReason::kNone);
  }
  SECTION("a file of another size behind") {
    CHECK(RoundTrip(file + other) == KeepReason::kNone);
  }
  SECTION("fill bytes") {
    CHECK(RoundTrip(InsertBefore(file, marker::kDqt, "\xff\xff\xff")) == KeepReason::kNone);
    CHECK(RoundTrip(InsertBefore(file, marker::kEoi, "\xff\xff", true)) == KeepReason::kNone);
  }
  SECTION("garbage between markers") {
    CHECK(RoundTrip(InsertBefore(file, marker::kDqt, "garbage")) == KeepReason::kNone);
    CHECK(RoundTrip(InsertBefore(file, marker::kDqt, std::string("\xff\0\xff\0x", 5))) == KeepReason::kNone);
  }
  SECTION("garbage behind a scan") {
    CHECK(RoundTrip(InsertBefore(file, marker::kEoi, "garbage", true)) == KeepReason::kNone);
    CHECK(RoundTrip(InsertBefore(file, marker::kEoi, "\xff\xd0", true)) == KeepReason::kNone);
  }
  SECTION("markers that stand alone") {
    CHECK(RoundTrip(InsertBefore(file, marker::kDqt, Marker(marker::kTem) + Marker(marker::kRst0))) ==
          KeepReason::kNone);
  }
  SECTION("a marker of length 0") {
    CHECK(RoundTrip(InsertBefore(file, marker::kDqt, std::string("\xff\xfe\0\0", 4))) == KeepReason::kNone);
  }
  SECTION("a DHT without tables") {
    CHECK(RoundTrip(InsertBefore(file, marker::kSos, Segment(marker::kDht, ""))) == KeepReason::kNone);
  }
  SECTION("JFIF of another version, and with a thumbnail") {
    const size_t jfif = FindMarker(file, marker::kApp0);
    for (const char version : {'\0', '\2', '\3'}) {
      std::string changed = file;
      changed[jfif + 10] = version;
      CHECK(RoundTrip(changed) == KeepReason::kNone);
    }
    std::string changed = file;
    changed.replace(jfif, 18, Segment(marker::kApp0, std::string("JFIF\0\1\1\2\0\x48\0\x48\1\1xyz", 17)));
    CHECK(RoundTrip(changed) == KeepReason::kNone);
  }
}

TEST_CASE("Tables given twice are rebuilt", "[envelope]") {
  const std::string file =
      BuildJpeg({.width = 40, .height = 30, .sampling = {{2, 2}}, .scans = {{{0}}, {{1}}, {{2}}}});
  const std::string tables =
      testutil::SegmentOf(file, marker::kDqt) + testutil::SegmentOf(file, marker::kDht);
  const size_t second_scan = FindMarker(file, marker::kSos, FindMarker(file, marker::kSos) + 1);
  std::string changed = file;
  changed.insert(second_scan, tables);
  CHECK(RoundTrip(changed) == KeepReason::kNone);
  CHECK(RoundTrip(InsertBefore(file, marker::kSof0, tables)) == KeepReason::kNone);
  // Slots that no component has.
  changed = file;
  std::string quantiser = testutil::SegmentOf(file, marker::kDqt);
  quantiser[4] = 3;
  quantiser[9] = 77;
  CHECK(RoundTrip(changed.insert(second_scan, quantiser)) == KeepReason::kNone);
}

TEST_CASE("Restart intervals that change between scans are rebuilt", "[envelope]") {
  const std::string file =
      BuildJpeg({.width = 64, .height = 48, .restart_interval = 4, .scans = {{{0}}, {{1}}, {{2}}}});
  const std::string plain = BuildJpeg({.width = 64, .height = 48, .scans = {{{0}}, {{1}}, {{2}}}});
  // The first scan of one file, the others of the other.
  const auto second_scan = [](const std::string& bytes) {
    return FindMarker(bytes, marker::kSos, FindMarker(bytes, marker::kSos) + 1);
  };
  CHECK(RoundTrip(file.substr(0, second_scan(file)) + Segment(marker::kDri, std::string("\0\0", 2)) +
                  plain.substr(second_scan(plain))) == KeepReason::kNone);
}

TEST_CASE("Odd restart markers are rebuilt", "[envelope]") {
  const std::string file = BuildJpeg({.width = 60, .height = 60, .restart_interval = 4});
  const size_t restart = FindMarker(file, 0xd2, FindMarker(file, marker::kSos));
  std::string changed = file;
  SECTION("out of order") {
    changed[restart + 1] = '\xd5';
  }
  SECTION("fill bytes before") {
    changed.insert(restart, "\xff\xff");
  }
  SECTION("garbage before") {
    changed.insert(restart, std::string("garb\xff\0age", 9));
  }
  CHECK(RoundTrip(changed) == KeepReason::kNone);
}

TEST_CASE("Bits that fill the last byte may be any", "[envelope]") {
  const bool progressive = GENERATE(false, true);
  const bool optimized = GENERATE(false, true);
  const std::string file = BuildJpeg({.width = 60,
                                      .height = 60,
                                      .sampling = {{2, 2}},
                                      .progressive = progressive,
                                      .optimized = optimized,
                                      .restart_interval = 3});
  for (const PaddingBits bits : {PaddingBits::kOnes, PaddingBits::kZeros, PaddingBits::kListed}) {
    const std::string refilled = testutil::Recode(file, [&](Bytes) {
      ScanExceptions exceptions;
      exceptions.padding_bits = bits;
      for (int i = 0; i < 100 && bits == PaddingBits::kListed; ++i)
        exceptions.listed_bits.push_back(static_cast<uint8_t>(37 * i));
      return exceptions;
    });
    if (!progressive) CHECK((refilled == file) == (bits == PaddingBits::kOnes));
    CHECK(RoundTrip(refilled) == KeepReason::kNone);
  }
}

TEST_CASE("End-of-band runs may end early", "[envelope]") {
  const std::string file = BuildJpeg(
      {.width = 200, .height = 200, .color = JpegColor::kGrayscale, .progressive = true, .quality = 10});
  for (const uint32_t blocks : {1u, 2u, 7u}) {
    const std::string recoded = testutil::Recode(file, [&](Bytes) {
      ScanExceptions exceptions;
      for (uint64_t i = 0; i < 20; ++i) exceptions.run_breaks.push_back({.ordinal = 2 * i, .blocks = blocks});
      return exceptions;
    });
    CHECK(recoded != file);
    CHECK(RoundTrip(recoded) == KeepReason::kNone);
  }
}

TEST_CASE("A Motion JPEG frame without tables is rebuilt", "[envelope]") {
  std::string file = BuildJpeg({.width = 50, .height = 20, .sampling = {{2, 1}}});
  file.erase(FindMarker(file, marker::kDht), FindMarker(file, marker::kSos) - FindMarker(file, marker::kDht));
  CHECK(RoundTrip(file) == KeepReason::kNone);
}

TEST_CASE("A height that a DNL marker gives is rebuilt", "[envelope]") {
  const std::string file = BuildJpeg({.width = 50, .height = 20, .sampling = {{2, 2}}});
  std::string changed = testutil::WithFrameSize(file, 50, 0);
  changed.insert(FindEnd(changed), Segment(marker::kDnl, std::string("\0\x14", 2)));
  CHECK(RoundTrip(changed) == KeepReason::kNone);
}

}  // namespace freqstore
