// What is missing or damaged costs the images that need it, and no others.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "storage/base/coding.h"
#include "storage/base/status.h"
#include "storage/segment/segment_decoder.h"
#include "tests/storage/segment/chunk_surgery.h"
#include "tests/storage/segment/segment_samples.h"

namespace freqstore {
namespace {

using testutil::AllColumns;
using testutil::ReasonsOf;
using testutil::SampleSegment;

const EncodedColumn& ColumnOf(const EncodedSegment& segment, ColumnId id) {
  return *std::find_if(segment.columns.begin(), segment.columns.end(),
                       [&](const EncodedColumn& column) { return column.id == id; });
}

void CheckDecodes(SegmentDecoder& decoder, const SampleSegment& segment, const SegmentReader& reader,
                  const ColumnSet& columns) {
  decoder.Decode(reader, segment.AllImages(columns),
                 [&](size_t index, const absl::Status& status, std::vector<CoefficientPlanes>& planes) {
                   CHECK(status.ok());
                   CHECK(testutil::Matches(segment.images[index], columns, planes));
                 });
}

}  // namespace

TEST_CASE("A projection needs the chunks of its closure", "[decoder]") {
  const SampleSegment segment(testutil::MakeOddImages(8), {Layout::kCompact, 4});
  ColumnSet columns;
  columns.Insert({0, 4});
  columns.Insert({2, 5});
  const ColumnSet closed = segment.Open().Close(columns);
  CHECK(closed.size() > columns.size());
  CHECK(segment.Open().Close(closed) == closed);
  ForEachColumn(closed, [&](ColumnId id) {
    ColumnSet with = closed;
    with |= ColumnOf(segment.encoded, id).contexts;
    CHECK(with == closed);
  });

  const auto given = [&](auto is_given) {
    std::vector<ChunkView> views;
    for (const ChunkView& view : segment.views) {
      if (closed.Contains(view.id) && is_given(view.id)) views.push_back(view);
    }
    return views;
  };
  const std::vector<ChunkView> all = given([](ColumnId) { return true; });
  const SegmentReader whole(segment.encoded.images, all);
  SegmentDecoder decoder;
  CheckDecodes(decoder, segment, whole, columns);

  ForEachColumn(closed, [&](ColumnId left_out) {
    CAPTURE(left_out.component, left_out.frequency);
    const std::vector<ChunkView> views = given([&](ColumnId id) { return id != left_out; });
    const SegmentReader reader(segment.encoded.images, views);
    const std::vector<std::string> reasons = ReasonsOf(reader, segment.AllImages(columns));
    for (size_t i = 0; i < reasons.size(); ++i) {
      const bool has_component = left_out.component < segment.images[i].components.size();
      CHECK(reasons[i] == (has_component ? "MISSING_CHUNK" : "OK"));
    }
  });
}

TEST_CASE("Damage in one substream fails its images that need the column", "[decoder]") {
  const Layout layout = GENERATE(Layout::kBalanced, Layout::kCompact);
  SampleSegment segment(testutil::MakeOddImages(12), {layout, 4});
  const ColumnId damaged{1, 45};
  const size_t index =
      static_cast<size_t>(&ColumnOf(segment.encoded, damaged) - segment.encoded.columns.data());
  // The first state of the second substream is 0.
  std::string& chunk = segment.encoded.columns[index].chunk;
  const testutil::SubstreamPlace place = testutil::PlaceOf(chunk, 1);
  REQUIRE(place.bytes >= 4);
  std::fill_n(chunk.begin() + static_cast<ptrdiff_t>(place.begin), 4, '\0');
  testutil::Reseal(chunk);
  segment.views = testutil::ViewsOf(segment.encoded);
  const SegmentReader reader = segment.Open();
  ColumnSet others;      // that do not need the damaged one
  ColumnSet dependents;  // that need it for their contexts
  ForEachColumn(AllColumns(), [&](ColumnId id) {
    ColumnSet only;
    only.Insert(id);
    if (id.component == 3 || id == damaged) return;
    (reader.Close(only).Contains(damaged) ? dependents : others).Insert(id);
  });
  CHECK(dependents.size() > 0);
  CHECK(others.size() > 2 * kFrequencies);

  const std::vector<std::string> reasons = ReasonsOf(reader, segment.AllImages(AllColumns()));
  for (size_t i = 0; i < reasons.size(); ++i) {
    CAPTURE(i);
    const bool needs = i / 4 == 1 && segment.images[i].components.size() == 3;
    CHECK(reasons[i] == (needs ? "CORRUPT_CHUNK" : "OK"));
  }
  SegmentDecoder decoder;
  CheckDecodes(decoder, segment, reader, others);

  // Requests side by side: only those that need the column fail.
  ColumnSet needs;
  needs.Insert(damaged);
  CHECK(ReasonsOf(reader, {{4, others}, {4, needs}, {5, needs}, {5, others}, {0, needs}}) ==
        std::vector<std::string>{"OK", "CORRUPT_CHUNK", "CORRUPT_CHUNK", "OK", "OK"});
  CHECK(ReasonsOf(reader, {{4, dependents}, {5, dependents}, {8, dependents}}) ==
        std::vector<std::string>{"CORRUPT_CHUNK", "CORRUPT_CHUNK", "OK"});
}

TEST_CASE("A damaged chunk fails the images that need it, also as a context", "[decoder]") {
  SampleSegment segment(testutil::MakeOddImages(6), {Layout::kCompact, 4});
  const ColumnId damaged{0, 1};
  std::string& chunk = segment.encoded.columns[1].chunk;
  chunk[40] = static_cast<char>(chunk[40] ^ 1);  // in its table
  segment.views = testutil::ViewsOf(segment.encoded);
  const SegmentReader reader = segment.Open();
  for (uint16_t z = 0; z < kFrequencies; ++z) {
    CAPTURE(z);
    ColumnSet columns;
    columns.Insert({0, z});
    const bool needs = reader.Close(columns).Contains(damaged);
    if (z == 0) CHECK(!needs);
    if (z == 1 || z == 3 || z == 63) CHECK(needs);
    for (const std::string& reason : ReasonsOf(reader, segment.AllImages(columns)))
      CHECK(reason == (needs ? "CHECKSUM_MISMATCH" : "OK"));
  }
}

TEST_CASE("Damage at the end of a substream is found by whoever gets there", "[decoder]") {
  SampleSegment segment({testutil::MakeOddImages()[0], testutil::MakeOddImages()[0]}, {Layout::kCompact, 16});
  std::string& chunk = segment.encoded.columns[0].chunk;
  chunk += "xy";  // a word too many
  const auto substream_bytes = static_cast<uint32_t>(testutil::PlaceOf(chunk, 0).bytes) + 2;
  std::string end;
  AppendLittleEndian(end, substream_bytes);
  chunk.replace(32, end.size(), end);
  testutil::Reseal(chunk);
  segment.views = testutil::ViewsOf(segment.encoded);
  ColumnSet dc;
  dc.Insert({0, 0});
  CHECK(ReasonsOf(segment.Open(), {{1, dc}}) == std::vector<std::string>{"CORRUPT_CHUNK"});
  CHECK(ReasonsOf(segment.Open(), {{0, dc}}) == std::vector<std::string>{"OK"});
  CHECK(ReasonsOf(segment.Open(), {{0, dc}, {1, dc}}).back() == "CORRUPT_CHUNK");
}

TEST_CASE("A flipped bit fails the images of its substream that need the column", "[decoder]") {
  const Layout layout = GENERATE(Layout::kFast, Layout::kBalanced, Layout::kCompact);
  SampleSegment segment(testutil::MakeOddImages(12), {layout, 4});
  const ColumnId damaged{1, 9};
  std::string& chunk = const_cast<EncodedColumn&>(ColumnOf(segment.encoded, damaged)).chunk;
  const testutil::SubstreamPlace place = testutil::PlaceOf(chunk, 2);
  REQUIRE(place.bytes > 0);
  chunk[place.begin] = static_cast<char>(chunk[place.begin] ^ 4);
  segment.views = testutil::ViewsOf(segment.encoded);
  const std::vector<std::string> reasons = ReasonsOf(segment.Open(), segment.AllImages(AllColumns()));
  for (size_t i = 0; i < reasons.size(); ++i) {
    CAPTURE(i);
    const bool needs = i / 4 == 2 && segment.images[i].components.size() == 3;
    CHECK(reasons[i] == (needs ? "CHECKSUM_MISMATCH" : "OK"));
  }
}

TEST_CASE("A decoder that met damage serves what is sound", "[decoder]") {
  const SampleSegment sound(testutil::MakeOddImages(6), {Layout::kCompact, 3});
  SampleSegment damaged(testutil::MakeOddImages(6), {Layout::kCompact, 3});
  for (EncodedColumn& column : damaged.encoded.columns) {
    column.chunk.back() = static_cast<char>(column.chunk.back() ^ 1);
    testutil::Reseal(column.chunk);
  }
  damaged.views = testutil::ViewsOf(damaged.encoded);
  SegmentDecoder decoder;
  bool any_failed = false;
  decoder.Decode(damaged.Open(), damaged.AllImages(AllColumns()),
                 [&](size_t, const absl::Status& status, std::vector<CoefficientPlanes>&) {
                   any_failed = any_failed || ReasonOf(status) == "CORRUPT_CHUNK";
                 });
  CHECK(any_failed);
  CheckDecodes(decoder, sound, sound.Open(), AllColumns());
}

TEST_CASE("Chunks agree on their substreams", "[decoder]") {
  const SampleSegment two(testutil::MakeOddImages(6), {Layout::kCompact, 2});
  const SampleSegment three(testutil::MakeOddImages(6), {Layout::kCompact, 3});
  const std::vector<ChunkView> views = {two.views[0], three.views[1]};
  const SegmentReader reader(two.encoded.images, views);
  CHECK(reader.images_per_substream() == 2);
  CHECK(reader.FindColumn({0, 0}).ok());
  CHECK(ReasonOf(reader.FindColumn({0, 1}).status()) == "CORRUPT_CHUNK");
}

}  // namespace freqstore
