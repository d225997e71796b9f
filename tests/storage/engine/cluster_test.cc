#include "storage/engine/cluster.h"

#include <map>
#include <set>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

namespace freqstore {
namespace {

constexpr SegmentTarget kTarget{.images = 16, .luma_blocks = 16 * 4096, .parts_min = 4};

ImageRecord Image(uint32_t width, uint32_t height, uint8_t quality, uint8_t luma_samp = 1,
                  ColorModel color = ColorModel::kYCbCr) {
  ImageRecord image;
  image.quality = quality;
  image.geometry.width = width;
  image.geometry.height = height;
  image.geometry.color = color;
  image.geometry.components.resize(color == ColorModel::kGrayscale ? 1 : 3);
  image.geometry.components.front().h_samp = luma_samp;
  for (ComponentGeometry& component : image.geometry.components) {
    component.grid = ExpectedGrid(image.geometry, component);
    component.quant.fill(10);
  }
  return image;
}

std::vector<ImageRecord> Repeat(size_t count, const ImageRecord& image) {
  return std::vector(count, image);
}

void Append(std::vector<ImageRecord>& images, const std::vector<ImageRecord>& more) {
  images.insert(images.end(), more.begin(), more.end());
}

std::vector<const ImageRecord*> Pointers(const std::vector<ImageRecord>& images) {
  std::vector<const ImageRecord*> pointers;
  for (const ImageRecord& image : images) pointers.push_back(&image);
  return pointers;
}

/// Partitions and checks what always holds.
std::vector<std::vector<size_t>> Partition(const std::vector<ImageRecord>& images) {
  auto segments = PartitionIntoSegments(Pointers(images), kTarget);
  std::set<size_t> seen;
  for (const auto& segment : segments) {
    REQUIRE(!segment.empty());
    REQUIRE(segment.size() <= kTarget.images);
    for (const size_t index : segment) {
      REQUIRE(seen.insert(index).second);
      REQUIRE(ClusterKeyOf(images[index]).components == ClusterKeyOf(images[segment.front()]).components);
    }
  }
  REQUIRE(seen.size() == images.size());
  return segments;
}

TEST_CASE("size classes are half octaves of the shorter side") {
  const auto size_class = [](uint32_t width, uint32_t height) {
    return ClusterKeyOf(Image(width, height, 80)).size_class;
  };
  REQUIRE(size_class(500, 375) == size_class(375, 500));
  REQUIRE(size_class(500, 375) == size_class(2000, 511));
  REQUIRE(size_class(512, 512) == size_class(600, 511) + 1);
  REQUIRE(size_class(362, 362) == size_class(256, 256));
  REQUIRE(size_class(363, 363) == size_class(256, 256) + 1);  // above 256 times the root of 2
  REQUIRE(size_class(65535, 65535) < 32);
}

TEST_CASE("quality classes follow the estimate, or else the mean step of the quantiser") {
  const auto quality_class = [](uint8_t quality) {
    return ClusterKeyOf(Image(64, 64, quality)).quality_class;
  };
  REQUIRE(quality_class(49) == 0);
  REQUIRE(quality_class(50) == 1);
  REQUIRE(quality_class(75) == 2);
  REQUIRE(quality_class(88) == 3);
  REQUIRE(quality_class(95) == 4);
  ImageRecord unlike_libjpeg = Image(64, 64, 0);
  unlike_libjpeg.geometry.components.front().quant.fill(1);
  REQUIRE(QualityOf(unlike_libjpeg) == 100);
  unlike_libjpeg.geometry.components.front().quant.fill(58);  // the mean step of quality 50 is 57.6
  REQUIRE(QualityOf(unlike_libjpeg) == 49);
  unlike_libjpeg.geometry.components.front().quant.fill(65535);
  REQUIRE(QualityOf(unlike_libjpeg) == 1);
}

TEST_CASE("classes that fill a segment each are kept apart") {
  std::vector<ImageRecord> images;
  for (int i = 0; i < 16; ++i) {
    Append(images, {Image(500, 375, 90), Image(500, 375, 40), Image(160, 120, 90)});
  }
  const auto segments = Partition(images);
  REQUIRE(segments.size() == 3);
  for (const auto& segment : segments) {
    for (const size_t index : segment) {
      REQUIRE(ClusterKeyOf(images[index]) == ClusterKeyOf(images[segment.front()]));
    }
  }
}

TEST_CASE("a few images join the class that loses least by it") {
  std::vector<ImageRecord> images = Repeat(10, Image(500, 375, 90));
  Append(images, Repeat(10, Image(160, 120, 90)));
  Append(images, Repeat(3, Image(500, 375, 80)));  // another quality, the same size as the first
  const auto segments = Partition(images);
  REQUIRE(segments.size() == 2);
  for (const auto& segment : segments) {
    for (const size_t index : segment)
      REQUIRE(images[index].geometry.width == images[segment[0]].geometry.width);
  }
}

TEST_CASE("a small image does not make a full class of large ones be read whole") {
  std::vector<ImageRecord> images = Repeat(16, Image(500, 375, 90));
  Append(images, Repeat(4, Image(600, 520, 90)));
  Append(images, Repeat(1, Image(64, 64, 90)));
  for (const auto& segment : Partition(images)) {
    const bool large = images[segment.front()].geometry.width == 500;
    for (const size_t index : segment) REQUIRE((images[index].geometry.width == 500) == large);
  }
}

TEST_CASE("components are never mixed, however few there are") {
  const auto segments =
      Partition({Image(64, 64, 90), Image(64, 64, 90, 2), Image(64, 64, 90, 1, ColorModel::kRgb),
                 Image(64, 64, 90, 1, ColorModel::kGrayscale)});
  REQUIRE(segments.size() == 4);
}

TEST_CASE("what is more than a segment is cut into equal parts, in the order of size and quality") {
  std::vector<ImageRecord> images;
  for (uint8_t i = 0; i < 20; ++i) images.push_back(Image(500 - uint32_t{i}, 375, 90));
  const auto segments = Partition(images);
  REQUIRE(segments.size() == 2);
  REQUIRE(segments[0].size() == 10);
  uint32_t width = 0;
  for (const auto& segment : segments) {
    for (const size_t index : segment) {
      REQUIRE(images[index].geometry.components[0].grid.width_blocks * 8 + 8 > width);
      width = images[index].geometry.width;
    }
  }
}

TEST_CASE("an image larger than a segment has one of its own") {
  const auto segments = Partition({Image(6000, 6000, 90), Image(6000, 6000, 90), Image(4500, 4500, 90)});
  REQUIRE(segments.size() == 3);
}

TEST_CASE("the order in a segment is by size, then quality, then arrival") {
  const std::vector<ImageRecord> images = {Image(80, 80, 90), Image(80, 80, 50), Image(40, 40, 95),
                                           Image(80, 80, 50)};
  REQUIRE(SegmentOrder(Pointers(images)) == std::vector<size_t>{2, 1, 3, 0});
}

TEST_CASE("any mixture is partitioned without loss") {
  const auto seed = GENERATE(range(0U, 20U));
  uint32_t state = seed * 2654435761U + 1;
  const auto next = [&](uint32_t bound) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8) % bound;
  };
  std::vector<ImageRecord> images;
  const uint32_t count = next(200);
  for (uint32_t i = 0; i < count; ++i) {
    images.push_back(Image(16 + next(1000), 16 + next(1000), static_cast<uint8_t>(next(101)),
                           static_cast<uint8_t>(1 + next(2))));
  }
  const auto segments = Partition(images);
  std::map<std::string, std::pair<size_t, size_t>> small_and_all;
  for (const auto& segment : segments) {
    SegmentFill fill(kTarget);
    for (const size_t index : segment) fill.Add(images[index]);
    auto& [small, all] = small_and_all[ClusterKeyOf(images[segment.front()]).components];
    small += fill.small() ? 1 : 0;
    ++all;
  }
  // No image is anywhere near a segment here, so small ones are those that had no company.
  for (const auto& [components, counts] : small_and_all) REQUIRE((counts.first == 0 || counts.second == 1));
}

TEST_CASE("the catalog's description has the ranges of what is in a segment") {
  const storage::v1::Cluster cluster =
      ClusterOf(std::vector{Image(500, 375, 90), Image(333, 500, 96), Image(400, 400, 80)});
  REQUIRE(cluster.shorter_side_min() == 333);
  REQUIRE(cluster.shorter_side_max() == 400);
  REQUIRE(cluster.quality_min() == 80);
  REQUIRE(cluster.quality_max() == 96);
}

}  // namespace
}  // namespace freqstore
