// Rendering against libjpeg-turbo's pixels, over real files.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "gpu/cpu/render/renderer.h"
#include "storage/jpeg/jpeg_reader.h"
#include "tests/gpu/cpu/plain_pixels.h"
#include "tests/testutil/test_data.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> FilesUnder(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// Every `step`-th photo: of all layouts, since the names are in no order of them.
std::vector<fs::path> Photos(size_t step) {
  const std::vector<fs::path> all = FilesUnder(testutil::TestData("photos/imagenet500"));
  std::vector<fs::path> some;
  for (size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

// The largest difference of any byte, of full-size rendering at every instruction set.
double FullSizeDifference(const JpegImage& image, const RgbImage& expected) {
  double worst = 0;
  for (SimdLevel level : SupportedSimdLevels()) {
    Renderer renderer(level);
    const auto rendered = renderer.RenderReduced(image.geometry, image.components, 8, false);
    REQUIRE(rendered.ok());
    worst = std::max(worst, testutil::Compare(*rendered, expected).max);
  }
  return worst;
}

TEST_CASE("full-size photos are libjpeg-turbo's") {
  double worst = 0;
  for (const fs::path& path : Photos(10)) {
    CAPTURE(path.filename().string());
    const std::string file = testutil::ReadFile(path);
    const auto image = ReadJpeg(AsBytes(file), {});
    REQUIRE(image.ok());
    const double difference = FullSizeDifference(*image, testutil::DecodePixels(file));
    CHECK(difference <= 1);
    worst = std::max(worst, difference);
  }
  WARN(fmt::format("largest difference to libjpeg-turbo over 50 photos: {}", worst));
}

// Damaged entropy-coded data can hold coefficients that no 8-bit samples have; libjpeg-turbo's 16-bit
// arithmetic then wraps around, rendering saturates.
bool HasWildCoefficients(const JpegImage& image) {
  constexpr int kMagnitudeMax = 4096;
  for (size_t c = 0; c < image.components.size(); ++c) {
    for (int z = 0; z < kFrequencies; ++z) {
      const int step = image.geometry.components[c].quant[static_cast<size_t>(z)];
      for (size_t block = 0; block < image.components[c].grid().blocks(); ++block) {
        if (std::abs(image.components[c].value(z, block) * step) > kMagnitudeMax) return true;
      }
    }
  }
  return false;
}

TEST_CASE("odd files are rendered as libjpeg-turbo does") {
  constexpr uint64_t kPixelsMax = 4'000'000;
  double worst = 0;
  int compared = 0;
  int four_components = 0;
  for (const fs::path& path : FilesUnder(testutil::TestData("zoo"))) {
    CAPTURE(path.filename().string());
    const std::string file = testutil::ReadFile(path);
    const auto image = ReadJpeg(AsBytes(file), {.pixels_max = kPixelsMax});
    if (!image.ok() || image->truncated || image->warnings > 0 || HasWildCoefficients(*image)) continue;
    RgbImage expected;
    try {
      expected = testutil::DecodePixels(file);
    } catch (const std::runtime_error&) {
      continue;  // fractional sampling: libjpeg-turbo has coefficients, but no pixels
    }
    const double difference = FullSizeDifference(*image, expected);
    CHECK(difference <= 1);
    worst = std::max(worst, difference);
    ++compared;
    if (image->components.size() == 4) ++four_components;
  }
  CHECK(compared > 50);
  CHECK(four_components > 3);
  WARN(fmt::format("largest difference to libjpeg-turbo over {} odd files, {} of four components: {}",
                   compared, four_components, worst));
}

testutil::Difference CompareToTensor(const testutil::FloatImage& expected, const std::vector<float>& tensor) {
  testutil::Difference difference;
  const size_t pixels = tensor.size() / 3;
  for (size_t i = 0; i < pixels; ++i) {
    for (size_t c = 0; c < 3; ++c) {
      const double d = std::abs(static_cast<double>(tensor[c * pixels + i]) - expected.pixels[3 * i + c]);
      difference.mean += d;
      difference.max = std::max(difference.max, d);
    }
  }
  difference.mean /= static_cast<double>(tensor.size());
  return difference;
}

// Differences over some photos.
struct Tally {
  double sum = 0;
  double worst_mean = 0;
  double worst_value = 0;
  int count = 0;

  void Add(const testutil::Difference& difference) {
    sum += difference.mean;
    worst_mean = std::max(worst_mean, difference.mean);
    worst_value = std::max(worst_value, difference.max);
    ++count;
  }
  double mean() const { return sum / count; }
  std::string Text() const {
    return fmt::format(
        "{} renderings, mean difference {:.3f}, of the worst photo {:.3f}, of the worst value {:.1f}", count,
        mean(), worst_mean, worst_value);
  }
};

// What is left to differ: the full decode rounds to 8 bits and clamps ringing before it averages.
TEST_CASE("rendering agrees with decoding at full size and then resizing") {
  const ResizeRule stretch{.width = 224, .height = 224};
  const ResizeRule crop{.kind = ResizeRule::Kind::kShortest, .width = 224, .height = 224, .shortest = 256};
  Tally whole_chroma;
  Tally subsampled_chroma;
  for (const fs::path& path : Photos(20)) {
    const std::string file = testutil::ReadFile(path);
    const auto image = ReadJpeg(AsBytes(file), {});
    REQUIRE(image.ok());
    const bool subsampled = image->geometry.h_samp_max() > 1 || image->geometry.v_samp_max() > 1;
    const RgbImage pixels = testutil::DecodePixels(file);
    const auto width = static_cast<int>(pixels.width);
    const auto height = static_cast<int>(pixels.height);
    const int shorter = std::min(width, height);
    const testutil::FloatImage expected[2] = {
        testutil::ResizeTriangle(pixels, 224, 224),
        testutil::CropCenter(testutil::ResizeTriangle(pixels, 256 * width / shorter, 256 * height / shorter),
                             224, 224)};
    Renderer renderer(BestSimdLevel());
    for (int rule = 0; rule < 2; ++rule) {
      std::vector<float> tensor(size_t{3} * 224 * 224);
      const RenderSpec spec{.resize = rule == 0 ? stretch : crop, .apply_orientation = false};
      REQUIRE(renderer.Render(image->geometry, image->components, false, spec, tensor).ok());
      const testutil::Difference difference = CompareToTensor(expected[rule], tensor);
      CAPTURE(path.filename().string(), width, height, rule, difference.mean, difference.max);
      CHECK(difference.mean < 0.5);
      (subsampled ? subsampled_chroma : whole_chroma).Add(difference);
    }
  }
  CHECK(whole_chroma.mean() < 0.25);
  CHECK(subsampled_chroma.mean() < 0.35);
  WARN("whole chroma: " << whole_chroma.Text() << "; subsampled: " << subsampled_chroma.Text()
                        << " (of 255)");
}

}  // namespace
}  // namespace freqstore
