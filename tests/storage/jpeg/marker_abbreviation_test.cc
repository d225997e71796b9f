#include "storage/jpeg/marker_abbreviation.h"

#include <string>

#include <catch2/catch_test_macros.hpp>

#include "storage/jpeg/jpeg_markers.h"
#include "storage/jpeg/jpeg_reader.h"
#include "tests/storage/jpeg/file_editor.h"
#include "tests/testutil/jpeg_builder.h"

namespace freqstore {
namespace {

ImageGeometry GeometryOf(const std::string& file) {
  const auto image = ReadJpeg(AsBytes(file), {});
  REQUIRE(image.ok());
  return image->geometry;
}

std::string PayloadOf(const std::string& file, uint8_t code) {
  return testutil::SegmentOf(file, code).substr(4);
}

}  // namespace

TEST_CASE("The usual JFIF header is a flag", "[abbreviation]") {
  const std::string payload = PayloadOf(testutil::BuildJpeg({}), marker::kApp0);
  for (const char version : {'\1', '\2'}) {
    for (const char density : {'\1', '\x48'}) {
      std::string changed = payload;
      changed[6] = version;
      changed[9] = density;
      const auto abbreviation = AbbreviateJfif(AsBytes(changed));
      REQUIRE(abbreviation);
      CHECK(abbreviation->bytes.size() == (density == 1 ? 0 : 5));
      ByteReader reader(AsBytes(abbreviation->bytes));
      CHECK(ExpandJfif(abbreviation->flags, reader) == changed);
    }
  }
  CHECK_FALSE(AbbreviateJfif(AsBytes(payload + "x")));
  CHECK_FALSE(AbbreviateJfif(AsBytes(payload).first(13)));
  CHECK_FALSE(AbbreviateJfif({}));
  ByteReader empty({});
  CHECK_FALSE(ExpandJfif(0, empty));
}

TEST_CASE("Quantisers of the image are named, others listed", "[abbreviation]") {
  for (const int quality : {1, 75}) {  // 16-bit and 8-bit steps
    const std::string file = testutil::BuildJpeg({.quality = quality});
    const ImageGeometry geometry = GeometryOf(file);
    const std::string payload = PayloadOf(file, marker::kDqt);
    const auto named = AbbreviateQuantisers(AsBytes(payload), geometry);
    REQUIRE(named);
    CHECK(named->bytes.size() == 2);
    ByteReader reader(AsBytes(named->bytes));
    CHECK(ExpandQuantisers(reader, geometry) == payload);

    std::string other = payload + payload;
    other[5] = static_cast<char>(other[5] ^ 1);
    const auto listed = AbbreviateQuantisers(AsBytes(other), geometry);
    REQUIRE(listed);
    CHECK(listed->bytes.size() == 1 + payload.size() + 1);
    ByteReader listed_reader(AsBytes(listed->bytes));
    CHECK(ExpandQuantisers(listed_reader, geometry) == other);
    for (size_t size = 0; size < listed->bytes.size(); ++size) {
      ByteReader cut(AsBytes(listed->bytes).first(size));
      CHECK_FALSE(ExpandQuantisers(cut, geometry));
    }
    CHECK_FALSE(AbbreviateQuantisers(AsBytes(payload).first(20), geometry));
  }
}

TEST_CASE("A frame is told by the image and a few flags", "[abbreviation]") {
  const std::string file = testutil::BuildJpeg({.width = 300, .height = 17, .sampling = {{2, 1}}});
  const ImageGeometry geometry = GeometryOf(file);
  const std::string payload = PayloadOf(file, marker::kSof0);
  const auto usual = AbbreviateFrame(AsBytes(payload), geometry);
  REQUIRE(usual);
  CHECK(usual->bytes.empty());

  for (const size_t place : {size_t{1}, size_t{6}, size_t{8}}) {  // height, id, quantiser slot
    std::string changed = payload;
    if (place == 1) changed[1] = changed[2] = 0;
    if (place != 1) changed[place] = 3;
    const auto abbreviation = AbbreviateFrame(AsBytes(changed), geometry);
    REQUIRE(abbreviation);
    ByteReader reader(AsBytes(abbreviation->bytes));
    CHECK(ExpandFrame(abbreviation->flags, reader, geometry) == changed);
  }
  for (const size_t place : {size_t{0}, size_t{2}, size_t{4}, size_t{7}}) {  // precision, size, sampling
    std::string changed = payload;
    changed[place] = static_cast<char>(changed[place] ^ 1);
    CHECK_FALSE(AbbreviateFrame(AsBytes(changed), geometry));
  }

  const std::string gray =
      testutil::BuildJpeg({.color = testutil::JpegColor::kGrayscale, .sampling = {{2, 2}}});
  const auto lone = AbbreviateFrame(AsBytes(PayloadOf(gray, marker::kSof0)), GeometryOf(gray));
  REQUIRE(lone);
  CHECK(lone->bytes == "\x22");
}

}  // namespace freqstore
