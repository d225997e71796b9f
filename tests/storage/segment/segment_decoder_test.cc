#include "storage/segment/segment_decoder.h"

#include <algorithm>
#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/storage/segment/segment_samples.h"

namespace freqstore {
namespace {

using testutil::AllColumns;
using testutil::ReasonsOf;
using testutil::SampleSegment;
using testutil::SyntheticImage;

using Planes = std::vector<CoefficientPlanes>;

ColumnSet RandomColumns(std::mt19937& random) {
  ColumnSet columns;
  const auto count = 1 + random() % 12;
  for (size_t i = 0; i < count; ++i)
    columns.Insert({static_cast<uint8_t>(random() % 3), static_cast<uint16_t>(random() % kFrequencies)});
  return columns;
}

/// Decodes, and checks that each request is answered once, by what it asked for.
void CheckDecodes(SegmentDecoder& decoder, const SampleSegment& segment, const SegmentReader& reader,
                  const std::vector<ImageRequest>& requests) {
  std::vector<int> answers(requests.size());
  decoder.Decode(reader, requests, [&](size_t index, const absl::Status& status, Planes& planes) {
    CAPTURE(index, requests[index].ordinal);
    REQUIRE(index < requests.size());
    ++answers[index];
    CHECK(status.ok());
    const ImageRequest& request = requests[index];
    CHECK(testutil::Matches(segment.images[request.ordinal], request.columns, planes));
  });
  CHECK(std::all_of(answers.begin(), answers.end(), [](int count) { return count == 1; }));
}

}  // namespace

TEST_CASE("Images are decoded in any order, any of them, any columns", "[decoder]") {
  const Layout layout = GENERATE(Layout::kFast, Layout::kBalanced, Layout::kCompact);
  const uint32_t images_per_substream = GENERATE(1u, 3u, 16u);
  CAPTURE(LayoutName(layout), images_per_substream);
  const SampleSegment segment(testutil::MakeOddImages(23), {layout, images_per_substream});
  std::mt19937 random(1);
  for (SimdLevel level : SupportedSimdLevels()) {
    CAPTURE(SimdLevelName(level));
    const SegmentReader reader = segment.Open(level);
    SegmentDecoder decoder(level);
    CheckDecodes(decoder, segment, reader, segment.AllImages(AllColumns()));
    for (int round = 0; round < 10; ++round) {
      CAPTURE(round);
      std::vector<ImageRequest> requests;
      const size_t count = random() % 12;
      for (size_t i = 0; i < count; ++i)  // some twice
        requests.push_back({random() % segment.images.size(), RandomColumns(random)});
      // Components that an image lacks are passed over.
      CheckDecodes(decoder, segment, reader, requests);
    }
  }
}

TEST_CASE("An image may be asked for several times", "[decoder]") {
  const Layout layout = GENERATE(Layout::kFast, Layout::kCompact);
  const SampleSegment segment(testutil::MakeOddImages(9), {layout, 4});
  const SegmentReader reader = segment.Open();
  SegmentDecoder decoder;
  ColumnSet dc;
  dc.Insert({0, 0});
  ColumnSet high;
  high.Insert({0, 63});
  high.Insert({2, 40});
  std::vector<ImageRequest> requests;
  for (const ColumnSet& columns : {dc, high, AllColumns(), dc, ColumnSet()}) requests.push_back({5, columns});
  CheckDecodes(decoder, segment, reader, requests);
}

TEST_CASE("Planes may be kept by whoever gets them", "[decoder]") {
  const Layout layout = GENERATE(Layout::kFast, Layout::kBalanced, Layout::kCompact);
  const SampleSegment segment(testutil::MakeOddImages(20), {layout, 8});
  const SegmentReader reader = segment.Open();
  SegmentDecoder decoder;
  std::vector<Planes> kept(segment.images.size());
  for (int round = 0; round < 2; ++round) {
    decoder.Decode(reader, segment.AllImages(AllColumns()),
                   [&](size_t index, const absl::Status& status, Planes& planes) {
                     CHECK(status.ok());
                     std::swap(kept[index], planes);
                   });
    for (size_t i = 0; i < kept.size(); ++i)
      CHECK(testutil::Matches(segment.images[i], AllColumns(), kept[i]));
  }
  // Or be replaced by others, or nothing.
  decoder.Decode(
      reader, segment.AllImages(AllColumns()), [&](size_t index, const absl::Status&, Planes& planes) {
        CHECK(testutil::Matches(segment.images[index], AllColumns(), planes));
        planes = index % 2 == 0 ? Planes() : Planes(1, CoefficientPlanes({3, 3}, FrequencySet::All()));
      });
}

TEST_CASE("One decoder serves segment after segment", "[decoder]") {
  const SampleSegment first(testutil::MakeOddImages(7), {Layout::kCompact, 3});
  const SampleSegment second(testutil::MakeOddImages(12), {Layout::kBalanced, 16});
  const SampleSegment third({testutil::MakeOddImages()[2]}, {Layout::kCompact, 16});
  SegmentDecoder decoder;
  for (int round = 0; round < 2; ++round) {
    for (const SampleSegment* segment : {&first, &second, &third})
      CheckDecodes(decoder, *segment, segment->Open(), segment->AllImages(AllColumns()));
  }
}

TEST_CASE("Images without the component stand between others", "[decoder]") {
  const std::vector<SyntheticImage> odd = testutil::MakeOddImages();
  const SyntheticImage& gray = odd[2];
  for (const std::vector<SyntheticImage>& images :
       {std::vector<SyntheticImage>{gray, odd[0], gray, gray, odd[4], gray, gray, gray, odd[1]},
        {odd[0], gray, gray, gray, gray, gray, gray},
        {gray, gray, gray, gray, gray, gray, odd[5]}}) {
    for (uint32_t images_per_substream : {1u, 2u, 5u, 16u}) {
      const SampleSegment segment(images, {Layout::kCompact, images_per_substream});
      SegmentDecoder decoder;
      CheckDecodes(decoder, segment, segment.Open(), segment.AllImages(AllColumns()));
    }
  }
}

TEST_CASE("An image beyond the segment is refused, the others serve", "[decoder]") {
  const SampleSegment segment(testutil::MakeOddImages(5), {Layout::kCompact, 2});
  const std::vector<std::string> reasons =
      ReasonsOf(segment.Open(), {{4, AllColumns()}, {5, AllColumns()}, {0, AllColumns()}});
  CHECK(reasons == std::vector<std::string>{"OK", "ORDINAL_OUT_OF_RANGE", "OK"});
}

}  // namespace freqstore
