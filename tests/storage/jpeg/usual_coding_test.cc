#include "storage/jpeg/usual_coding.h"

#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/jpeg/jpeg_markers.h"
#include "storage/jpeg/jpeg_reader.h"
#include "tests/testutil/jpeg_builder.h"

namespace freqstore {

TEST_CASE("Scans that libjpeg's defaults give are known by their number", "[abbreviation]") {
  constexpr testutil::JpegColor kColors[] = {testutil::JpegColor::kGrayscale, testutil::JpegColor::kYCbCr,
                                             testutil::JpegColor::kRgb, testutil::JpegColor::kCmyk,
                                             testutil::JpegColor::kYcck};
  for (const testutil::JpegColor color : kColors) {
    for (const bool progressive : {false, true}) {
      const std::string file = testutil::BuildJpeg({.color = color, .progressive = progressive});
      const auto image = ReadJpeg(AsBytes(file), {});
      REQUIRE(image.ok());
      const ImageGeometry& geometry = image->geometry;
      const auto parsed = ParseJpegFile(AsBytes(file), {});
      std::vector<uint8_t> ids;
      uint32_t scans = 0;
      for (const JpegSegment& segment : parsed->segments) {
        if (IsFrameMarker(segment.code)) {
          const auto frame = ParseFrameHeader(segment.payload);
          REQUIRE(frame);
          for (size_t c = 0; c < frame->components.size(); ++c) {
            ids.push_back(frame->components[c].id);
            CHECK(UsualId(geometry, c) == ids.back());
            CHECK(UsualSlot(geometry, c) == frame->components[c].quantiser);
          }
        }
        if (segment.code != marker::kSos) continue;
        CHECK(UsualScan(geometry, ids, progressive, scans++) == AsString(segment.payload));
      }
      CHECK(UsualScan(geometry, ids, progressive, scans) == std::nullopt);
      CHECK(UsualScan(geometry, {}, progressive, 0) == std::nullopt);
    }
  }
}

}  // namespace freqstore
