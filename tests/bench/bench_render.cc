// Microseconds an image for rendering, from coefficients in memory to the rows of a tensor, on one thread.
//
// Images are noise of 500 x 375 pixels, the usual size of a web photo; time does not depend on their values.
// Those of 4000 x 3000 pixels are made much smaller, another way through the renderer.
// Planes are narrow but for the lowest frequencies, as those of photos are. Cuts are those of the fidelity
// `standard`: at 224 pixels cover = 5, at 128 pixels cover = 3.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "gpu/cpu/render/renderer.h"
#include "storage/base/cpu_features.h"

namespace freqstore {
namespace {

struct Size {
  uint32_t width;
  uint32_t height;
};
constexpr Size kWeb{500, 375};
constexpr Size kCamera{4000, 3000};
constexpr int kWideFrequencies = 3;  // of each component

struct Image {
  ImageGeometry geometry;
  std::vector<CoefficientPlanes> planes;
};

// `subsampling` 1 is 4:4:4, 2 is 4:2:0.
Image MakeImage(Size size, uint32_t subsampling, FrequencyCut luma, FrequencyCut chroma) {
  Image image;
  image.geometry.width = size.width;
  image.geometry.height = size.height;
  image.geometry.color = ColorModel::kYCbCr;
  std::mt19937 random(1);
  for (int c = 0; c < 3; ++c) {
    const uint32_t factor = c == 0 ? 1 : subsampling;
    ComponentGeometry component;
    component.h_samp = component.v_samp = static_cast<uint8_t>(subsampling / factor);
    component.grid = {(size.width + 8 * factor - 1) / (8 * factor),
                      (size.height + 8 * factor - 1) / (8 * factor)};
    component.quant.fill(3);
    image.geometry.components.push_back(component);
    const FrequencySet kept = (c == 0 ? luma : chroma).frequencies();
    FrequencySet narrow;
    for (int z = kWideFrequencies; z < kFrequencies; ++z) narrow.Insert(z);
    CoefficientPlanes& planes = image.planes.emplace_back();
    planes.Reset(component.grid, kept, narrow);
    for (int z = 0; z < kFrequencies; ++z) {
      if (!kept.Contains(z)) continue;
      const auto value = [&random] { return static_cast<int8_t>(static_cast<int>(random() % 21) - 10); };
      if (planes.IsNarrow(z)) {
        std::ranges::generate(planes.narrow_plane(z), value);
      } else {
        std::ranges::generate(planes.plane(z), value);
      }
    }
  }
  return image;
}

void BenchRender(benchmark::State& state, SimdLevel level, Size image_size, uint32_t subsampling,
                 uint32_t size, FrequencyCut luma, FrequencyCut chroma) {
  const Image image = MakeImage(image_size, subsampling, luma, chroma);
  const RenderSpec spec{
      .resize = {.width = size, .height = size}, .mean = {128, 128, 128}, .scale = {1, 1, 1}};
  std::vector<float> tensor(size_t{3} * size * size);
  Renderer renderer(level);
  for (auto unused : state) {
    benchmark::DoNotOptimize(renderer.Render(image.geometry, image.planes, false, spec, tensor).ok());
  }
}

void BenchReduced(benchmark::State& state, SimdLevel level, uint32_t subsampling, int k) {
  const auto side = static_cast<uint8_t>(k);
  const auto chroma_side = static_cast<uint8_t>(subsampling == 2 && k < 8 ? std::min(8, 2 * k) : k);
  const Image image = MakeImage(kWeb, subsampling, {.side = side}, {.side = chroma_side});
  Renderer renderer(level);
  for (auto unused : state) {
    benchmark::DoNotOptimize(renderer.RenderReduced(image.geometry, image.planes, k, true).ok());
  }
}

// The first image of a size also makes its operators.
void BenchOperators(benchmark::State& state, uint32_t size, int side) {
  const AxisSampling sampling{.resized = size, .first = 0, .count = size};
  for (auto unused : state) {
    const AxisOperator made({.image_size = kWeb.width}, sampling, side);
    benchmark::DoNotOptimize(made.weights().data());
  }
}

void Register() {
  for (SimdLevel level : SupportedSimdLevels()) {
    for (uint32_t subsampling : {1u, 2u}) {
      const std::string suffix =
          std::string(subsampling == 1 ? "/444/" : "/420/") + std::string(SimdLevelName(level));
      const auto chroma_224 = static_cast<uint8_t>(subsampling == 1 ? 3 : 5);
      const auto chroma_128 = static_cast<uint8_t>(subsampling == 1 ? 2 : 3);
      benchmark::RegisterBenchmark(("render_224" + suffix).c_str(), BenchRender, level, kWeb, subsampling,
                                   224, FrequencyCut{6, 6}, FrequencyCut{chroma_224, 14});
      benchmark::RegisterBenchmark(("render_128" + suffix).c_str(), BenchRender, level, kWeb, subsampling,
                                   128, FrequencyCut{4, 4}, FrequencyCut{chroma_128, 14});
      benchmark::RegisterBenchmark(("render_camera_224" + suffix).c_str(), BenchRender, level, kCamera,
                                   subsampling, 224, FrequencyCut{2, 2}, FrequencyCut{2, 14});
      for (int k : {1, 2, 4, 8}) {
        benchmark::RegisterBenchmark(("reduced_" + std::to_string(k) + suffix).c_str(), BenchReduced, level,
                                     subsampling, k);
      }
    }
  }
  benchmark::RegisterBenchmark("operator_224", BenchOperators, 224, 6);
  benchmark::RegisterBenchmark("operator_128", BenchOperators, 128, 4);
}

}  // namespace
}  // namespace freqstore

int main(int argc, char** argv) {
  freqstore::Register();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
