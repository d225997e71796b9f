#include "gpu/kernels/axis_operator.h"

#include <array>

#include "gpu/kernels/cosine_basis.h"
#include "gpu/kernels/interpolation.h"
#include "gpu/kernels/match_gain.h"
#include "gpu/kernels/triangle_filter.h"

namespace freqstore {
namespace {

// The points of a reduced block, rounded up: a frequency at or above it would alias.
int ReducedPoints(const ComponentAxis& axis, const AxisSampling& sampling) {
  return (sampling.reduced_k * axis.samp_max + axis.samp - 1) / axis.samp;
}

}  // namespace

// The samples that a resize starts from: `points` a block. The resize runs over `positions` along the axis,
// of which each sample stands for `ratio`: those between two sample centres are interpolated, as decoders
// upsample chroma.
struct AxisOperator::SampleBasis {
  int points = kBlockSide;
  double extent = 0;  ///< of the source, in positions
  int64_t positions = 0;
  double ratio = 1;
  int64_t samples = 0;
  std::array<std::array<double, kBlockSide>, kBlockSide> values{};  // [sample of the block][frequency]
};

AxisOperator::SampleBasis AxisOperator::MakeSampleBasis(const ComponentAxis& axis,
                                                        const AxisSampling& sampling, int side,
                                                        BlockTransform transform) {
  const bool matched = transform == BlockTransform::kMatched;
  SampleBasis basis;
  if (matched) {
    const int64_t parts = int64_t{axis.samp_max} * kBlockSide;
    basis.points = side;
    basis.extent = axis.extent() * basis.points / kBlockSide;
    basis.samples = (int64_t{axis.image_size} * axis.samp * basis.points + parts - 1) / parts;
    basis.positions = basis.samples;
  } else {
    basis.extent = axis.image_size;
    basis.samples = axis.samples();
    basis.positions = axis.image_size;
    basis.ratio = static_cast<double>(axis.samp_max) / axis.samp;
  }
  for (int u = 0; u < side; ++u) {
    const double gain = matched ? MatchGain(u, basis.points, axis.extent() / sampling.resized) : 1;
    for (int x = 0; x < basis.points; ++x) {
      const double t = (x + 0.5) * kBlockSide / basis.points;
      basis.values[static_cast<size_t>(x)][static_cast<size_t>(u)] = gain * CosineBasis(u, t);
    }
  }
  return basis;
}

// What the rows are made in, one after the other.
struct AxisOperator::RowScratch {
  std::vector<double> triangle;                        // of each position of the window
  std::vector<std::array<double, kBlockSide>> sums{};  // [block][frequency]
};

ComponentAxis HorizontalAxis(const ImageGeometry& geometry, size_t index) {
  return {geometry.width, geometry.components[index].h_samp, static_cast<uint8_t>(geometry.h_samp_max())};
}

ComponentAxis VerticalAxis(const ImageGeometry& geometry, size_t index) {
  return {geometry.height, geometry.components[index].v_samp, static_cast<uint8_t>(geometry.v_samp_max())};
}

AxisOperator::AxisOperator(const ComponentAxis& axis, const AxisSampling& sampling, int side,
                           BlockTransform transform)
    : side_(sampling.reduced_k == 0 ? side : std::min(side, ReducedPoints(axis, sampling))) {
  SampleBasis basis;
  if (sampling.reduced_k == 0) basis = MakeSampleBasis(axis, sampling, side, transform);
  RowScratch scratch;
  rows_.reserve(sampling.count);
  weights_.reserve(size_t{2} * sampling.count * static_cast<size_t>(side_));  // most pixels touch two blocks
  for (uint32_t i = 0; i < sampling.count; ++i) {
    const uint32_t displayed = sampling.first + i;
    const uint32_t pixel = sampling.mirrored ? sampling.resized - 1 - displayed : displayed;
    if (sampling.reduced_k == 0) {
      AddResizedRow(basis, sampling.resized, pixel, scratch);
    } else {
      AddReducedRow(axis, sampling, pixel);
    }
  }
}

float* AxisOperator::AddRow(uint32_t first_block, uint32_t blocks) {
  first_block_ = std::min(first_block_, first_block);
  last_block_ = std::max(last_block_, first_block + blocks);
  blocks_per_row_max_ = std::max(blocks_per_row_max_, blocks);
  const size_t offset = weights_.size();
  rows_.push_back({first_block, blocks, offset});
  weights_.resize(offset + static_cast<size_t>(blocks) * static_cast<size_t>(side_));
  return weights_.data() + offset;
}

void AxisOperator::AddResizedRow(const SampleBasis& basis, uint32_t resized, uint32_t pixel,
                                 RowScratch& scratch) {
  const TriangleWindow window = MakeTriangleWindow(basis.extent, basis.positions, resized, pixel);
  scratch.triangle.clear();
  double total = 0;
  for (int64_t p = window.first; p < window.last; ++p) {
    scratch.triangle.push_back(TriangleWeight(window, p));
    total += scratch.triangle.back();
  }

  const int64_t first_sample = Interpolate(window.first, basis.ratio, basis.samples).lower;
  const int64_t last_sample = Interpolate(window.last - 1, basis.ratio, basis.samples).upper;
  const auto first_block = static_cast<uint32_t>(first_sample / basis.points);
  const auto last_block = static_cast<uint32_t>(last_sample / basis.points + 1);

  const int64_t start = int64_t{first_block} * basis.points;
  scratch.sums.assign(last_block - first_block, {});
  const auto add = [&](size_t block, size_t in_block, double weight) {
    for (size_t u = 0; u < kBlockSide; ++u) scratch.sums[block][u] += weight * basis.values[in_block][u];
  };
  const auto points = static_cast<size_t>(basis.points);
  const double scale = 1 / total;
  if (basis.ratio == 1) {
    size_t block = 0;
    auto in_block = static_cast<size_t>(first_sample - start);
    for (const double triangle : scratch.triangle) {
      add(block, in_block, triangle * scale);
      if (++in_block < points) continue;
      in_block = 0;
      ++block;
    }
  } else {
    const auto add_sample = [&](int64_t sample, double weight) {
      const auto in_row = static_cast<size_t>(sample - start);
      add(in_row / points, in_row % points, weight);
    };
    for (int64_t p = window.first; p < window.last; ++p) {
      const double weight = scratch.triangle[static_cast<size_t>(p - window.first)] * scale;
      const Interpolation between = Interpolate(p, basis.ratio, basis.samples);
      add_sample(between.lower, weight * (1 - between.upper_weight));
      if (between.upper_weight > 0) add_sample(between.upper, weight * between.upper_weight);
    }
  }
  float* weights = AddRow(first_block, last_block - first_block);
  for (const std::array<double, kBlockSide>& sums : scratch.sums) {
    for (size_t u = 0; u < static_cast<size_t>(side_); ++u) *weights++ = static_cast<float>(sums[u]);
  }
}

void AxisOperator::AddReducedRow(const ComponentAxis& axis, const AxisSampling& sampling, uint32_t pixel) {
  // The last pixel begins inside the image, but its centre may lie beyond the last block where the sampling
  // ratio is not whole: there the cosine series goes on as the mirror image of the block.
  const double center = (pixel + 0.5) * kBlockSide / sampling.reduced_k * axis.samp / axis.samp_max;
  const uint32_t last_block = (axis.samples() - 1) / kBlockSide;
  const uint32_t block = std::min(static_cast<uint32_t>(center / kBlockSide), last_block);
  float* weights = AddRow(block, 1);
  for (int u = 0; u < side_; ++u) {
    *weights++ = static_cast<float>(CosineBasis(u, center - static_cast<double>(block) * kBlockSide));
  }
}

}  // namespace freqstore
