// SegmentWriter and SegmentReader together.
#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "storage/base/status.h"
#include "tests/storage/segment/chunk_surgery.h"
#include "tests/storage/segment/segment_samples.h"

namespace freqstore {
using testutil::AllColumns;
using testutil::Matches;
using testutil::SyntheticImage;
using testutil::ViewsOf;
using testutil::WriteSegment;

TEST_CASE("A segment gives its images back", "[segment]") {
  const Layout layout = GENERATE(Layout::kFast, Layout::kBalanced, Layout::kCompact);
  const size_t count = GENERATE(size_t{1}, size_t{6}, size_t{16}, size_t{37});
  const uint32_t images_per_substream = GENERATE(1u, 4u, 16u);
  CAPTURE(LayoutName(layout), count, images_per_substream);
  const std::vector<SyntheticImage> images = testutil::MakeOddImages(count);
  const EncodedSegment segment = WriteSegment(images, {layout, images_per_substream});
  REQUIRE(segment.images.size() == count);
  REQUIRE(segment.columns.size() == 3 * kFrequencies);
  CHECK(std::is_sorted(segment.columns.begin(), segment.columns.end(),
                       [](const auto& a, const auto& b) { return a.id < b.id; }));

  const std::vector<ChunkView> views = ViewsOf(segment);
  const SegmentReader reader(segment.images, views);
  std::vector<CoefficientPlanes> planes;
  for (size_t i = 0; i < count; ++i) {
    REQUIRE(reader.DecodeImage(i, AllColumns(), planes).ok());
    CHECK(reader.images()[i] == images[i].record);
    CHECK(Matches(images[i], AllColumns(), planes));
  }
}

TEST_CASE("A segment counts what was added", "[segment]") {
  const std::vector<SyntheticImage> images = testutil::MakeOddImages(3);
  SegmentWriter writer({});
  CHECK(writer.image_count() == 0);
  uint64_t luma_blocks = 0;
  for (const SyntheticImage& image : images) {
    writer.Add(PackImage(image.record, image.components));
    luma_blocks += image.record.geometry.components[0].grid.blocks();
  }
  CHECK(writer.image_count() == 3);
  CHECK(writer.luma_blocks() == luma_blocks);
}

TEST_CASE("Only columns that some image has are in a segment", "[segment]") {
  CHECK(WriteSegment({}, {}).columns.empty());
  const std::vector<SyntheticImage> odd = testutil::MakeOddImages();
  CHECK(WriteSegment({odd[2]}, {}).columns.size() == kFrequencies);  // grayscale
}

TEST_CASE("A component may come late and leave again", "[segment]") {
  const std::vector<SyntheticImage> odd = testutil::MakeOddImages();
  const SyntheticImage& gray = odd[2];
  const SyntheticImage& color = odd[0];
  const std::vector<SyntheticImage> images = {gray, gray, gray, color, gray, gray, gray};
  const EncodedSegment segment = WriteSegment(images, {Layout::kFast, 2});
  const std::vector<ChunkView> views = ViewsOf(segment);
  const SegmentReader reader(segment.images, views);
  std::vector<CoefficientPlanes> planes;
  for (size_t i = 0; i < images.size(); ++i) {
    REQUIRE(reader.DecodeImage(i, AllColumns(), planes).ok());
    CHECK(Matches(images[i], AllColumns(), planes));
  }
}

TEST_CASE("A projection needs its own chunks only", "[segment]") {
  const std::vector<SyntheticImage> images = testutil::MakeOddImages(6);
  const EncodedSegment segment = WriteSegment(images, {});
  ColumnSet columns;
  columns.components[0] = FrequencySet::Cut(3, 2);
  columns.components[2].Insert(0);
  std::vector<ChunkView> views;
  for (const ChunkView& view : ViewsOf(segment)) {
    if (columns.Contains(view.id)) views.push_back(view);
  }
  const SegmentReader reader(segment.images, views);
  std::vector<CoefficientPlanes> planes;
  for (size_t i = 0; i < images.size(); ++i) {
    REQUIRE(reader.DecodeImage(i, columns, planes).ok());
    CHECK(Matches(images[i], columns, planes));
  }

  columns.Insert({1, 7});
  const absl::Status missing = reader.DecodeImage(0, columns, planes);
  CHECK(ReasonOf(missing) == "MISSING_CHUNK");
  CHECK(missing.code() == absl::StatusCode::kInternal);
  CHECK(reader.DecodeImage(2, columns, planes).ok());  // grayscale: it has no component 1
  CHECK(reader.DecodeImage(6, columns, planes).code() == absl::StatusCode::kInternal);
}

TEST_CASE("A damaged chunk fails the images that need it and no other", "[segment]") {
  const std::vector<SyntheticImage> images = testutil::MakeOddImages(6);
  EncodedSegment segment = WriteSegment(images, {});
  std::string& chunk = segment.columns[kFrequencies + 5].chunk;  // component 1, frequency 5
  chunk.back() = static_cast<char>(chunk.back() ^ 1);
  const std::vector<ChunkView> views = ViewsOf(segment);
  const SegmentReader reader(segment.images, views);
  std::vector<CoefficientPlanes> planes;
  ColumnSet without = AllColumns();
  without.components[1] = FrequencySet(~(uint64_t{1} << 5));
  for (size_t i = 0; i < images.size(); ++i) {
    const absl::Status status = reader.DecodeImage(i, AllColumns(), planes);
    CHECK(ReasonOf(status) == (i == 2 ? "OK" : "CHECKSUM_MISMATCH"));  // 2 is grayscale
    CHECK(reader.DecodeImage(i, without, planes).ok());
    CHECK(Matches(images[i], without, planes));
  }
}

TEST_CASE("Every flipped or missing byte of a chunk is an error", "[segment]") {
  const Layout layout = GENERATE(Layout::kFast, Layout::kCompact);
  const EncodedSegment segment = WriteSegment(testutil::MakeOddImages(6), {layout, 4});
  ColumnSet columns;
  columns.Insert({0, 3});
  const std::string& chunk = segment.columns[3].chunk;
  std::vector<ChunkView> views = ViewsOf(segment);
  std::vector<CoefficientPlanes> planes;
  for (size_t i = 0; i < chunk.size(); ++i) {
    CAPTURE(i);
    std::string damaged = chunk;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x80);
    for (const std::string& bytes : {damaged, chunk.substr(0, i)}) {
      views[3].bytes = AsBytes(bytes);
      const SegmentReader reader(segment.images, views);
      bool is_noticed = false;
      for (size_t image = 0; image < segment.images.size(); ++image)
        is_noticed = is_noticed || absl::IsDataLoss(reader.DecodeImage(image, columns, planes));
      CHECK(is_noticed);
    }
  }
}

TEST_CASE("A chunk with a good checksum is still not trusted", "[segment]") {
  const std::vector<SyntheticImage> images = testutil::MakeOddImages(6);
  const EncodedSegment segment = WriteSegment(images, {Layout::kFast, 4});
  ColumnSet columns;
  columns.Insert({0, 3});
  const std::string& chunk = segment.columns[3].chunk;
  std::vector<CoefficientPlanes> planes;
  const size_t front_bytes = testutil::FrontBytes(chunk);
  for (size_t i = 0; i < chunk.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = chunk;
      const char changed = static_cast<char>(damaged[i] ^ (1 << bit));
      if (i < front_bytes) {
        damaged = testutil::WithFrontBytes(std::move(damaged), i, {&changed, 1});
      } else {
        damaged[i] = changed;
        testutil::Reseal(damaged);
      }
      const ChunkView view{{0, 3}, AsBytes(damaged)};
      const SegmentReader reader(segment.images, {&view, 1});
      for (size_t image = 0; image < images.size(); ++image) {
        const absl::Status status = reader.DecodeImage(image, columns, planes);
        const bool expected = status.ok() || status.code() == absl::StatusCode::kDataLoss;
        REQUIRE(expected);
      }
    }
  }
}

TEST_CASE("A chunk must be of its column and its images", "[segment]") {
  const std::vector<SyntheticImage> images = testutil::MakeOddImages(6);
  const EncodedSegment segment = WriteSegment(images, {});
  ColumnSet columns;
  columns.Insert({0, 3});
  std::vector<CoefficientPlanes> planes;

  const ChunkView other_column{{0, 3}, AsBytes(segment.columns[4].chunk)};
  CHECK(ReasonOf(SegmentReader(segment.images, {&other_column, 1}).DecodeImage(0, columns, planes)) ==
        "CORRUPT_CHUNK");

  const ChunkView right{{0, 3}, AsBytes(segment.columns[3].chunk)};
  const std::span<const ImageRecord> fewer = std::span(segment.images).first(5);
  CHECK(ReasonOf(SegmentReader(fewer, {&right, 1}).DecodeImage(0, columns, planes)) == "CORRUPT_CHUNK");

  std::vector<ImageRecord> others = segment.images;
  std::reverse(others.begin(), others.end());
  std::swap(others[0], others[1]);
  const absl::Status mixed = SegmentReader(others, {&right, 1}).DecodeImage(0, columns, planes);
  CHECK((mixed.ok() || ReasonOf(mixed) == "CORRUPT_CHUNK"));
}

TEST_CASE("No memory is taken for an image whose chunks are damaged", "[segment]") {
  // All columns of this image would be 8 GiB.
  const SyntheticImage small = testutil::MakeSyntheticImage(
      {.width = 8, .height = 8, .color = ColorModel::kGrayscale, .sampling = {{1, 1}}, .seed = 1});
  const EncodedSegment segment = WriteSegment({small}, {});
  std::vector<ImageRecord> rows = segment.images;
  rows[0].geometry.width = 65535;
  rows[0].geometry.height = 65535;
  rows[0].geometry.components[0].grid = ExpectedGrid(rows[0].geometry, rows[0].geometry.components[0]);
  const std::vector<ChunkView> views = ViewsOf(segment);
  const SegmentReader reader(rows, views);
  std::vector<CoefficientPlanes> planes;
  CHECK(ReasonOf(reader.DecodeImage(0, AllColumns(), planes)) == "CORRUPT_CHUNK");
  CHECK(planes.empty());
}

TEST_CASE("A column with a value that r32 cannot hold is stored in bp32", "[segment]") {
  std::vector<SyntheticImage> images = testutil::MakeOddImages(3);
  images[1].components[0].plane(5)[0] = INT16_MIN;
  images[2].components[0].plane(0)[0] = INT16_MIN;
  const EncodedSegment segment = WriteSegment(images, {.layout = Layout::kCompact});
  for (const EncodedColumn& column : segment.columns) {
    const bool has_it = column.id == ColumnId{0, 5} || column.id == ColumnId{0, 0};
    CHECK(column.codec == (has_it ? CodecId::kBp32 : CodecId::kR32));
  }
  const std::vector<ChunkView> views = ViewsOf(segment);
  const SegmentReader reader(segment.images, views);
  std::vector<CoefficientPlanes> planes;
  for (size_t i = 0; i < images.size(); ++i) {
    REQUIRE(reader.DecodeImage(i, AllColumns(), planes).ok());
    CHECK(Matches(images[i], AllColumns(), planes));
  }
}

TEST_CASE("A chunk of an unknown codec is named", "[segment]") {
  const EncodedSegment segment = WriteSegment(testutil::MakeOddImages(2), {});
  const std::string chunk = testutil::WithFrontBytes(segment.columns[0].chunk, 6, "c");
  ColumnSet columns;
  columns.Insert({0, 0});
  const ChunkView view{{0, 0}, AsBytes(chunk)};
  std::vector<CoefficientPlanes> planes;
  CHECK(ReasonOf(SegmentReader(segment.images, {&view, 1}).DecodeImage(0, columns, planes)) ==
        "UNKNOWN_CODEC");
}

TEST_CASE("Several threads decode from one reader", "[segment]") {
  const std::vector<SyntheticImage> images = testutil::MakeOddImages(24);
  const EncodedSegment segment = WriteSegment(images, {});
  const std::vector<ChunkView> views = ViewsOf(segment);
  const SegmentReader reader(segment.images, views);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::vector<CoefficientPlanes> planes;
      for (size_t i = 0; i < images.size(); ++i) {
        const size_t ordinal = (i + t * 5) % images.size();
        const bool ok = reader.DecodeImage(ordinal, AllColumns(), planes).ok();
        if (!ok || !Matches(images[ordinal], AllColumns(), planes)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

}  // namespace freqstore
