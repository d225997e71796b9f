// The loops of full_size_loops.h in plain C++. Little-endian.
#include "gpu/cpu/render/vectors_scalar.inc"
// The vectors first.
#include <cstring>

#include "gpu/cpu/render/full_size_loops.h"
#include "gpu/cpu/render/upsample_loops.inc"
#include "gpu/kernels/color_model.h"
#include "gpu/kernels/islow_transform.h"

namespace freqstore {
namespace {

constexpr size_t kBlocks = 4;  // one a lane
typedef int32_t Ints __attribute__((vector_size(4 * kBlocks)));

template <typename Value>
Ints ToInts(const Value* p) {
  return Ints{p[0], p[1], p[2], p[3]};
}

Ints LoadValues(const CoefficientRow& row, size_t block) {
  if (row.narrow != nullptr) return ToInts(row.narrow + block);
  return row.wide != nullptr ? ToInts(row.wide + block) : Ints{};
}

Ints PackFour(const Ints* x) {
  return x[0] | (x[1] << 8) | (x[2] << 16) | (x[3] << 24);
}

// Samples x[0..7] of the blocks to memory, block after block.
void StoreSamples(const Ints (&x)[8], uint8_t* out) {
  const Ints left = PackFour(x);
  const Ints right = PackFour(x + 4);
  const Ints samples[2] = {__builtin_shufflevector(left, right, 0, 4, 1, 5),
                           __builtin_shufflevector(left, right, 2, 6, 3, 7)};
  std::memcpy(out, samples, sizeof samples);
}

void Islow(const IslowBlockRow& row) {
  for (size_t block = 0; block < row.blocks; block += kBlocks) {
    Ints workspace[8][8];  // [y][u]
    for (size_t u = 0; u < 8; ++u) {
      Ints column[8];
      for (size_t v = 0; v < 8; ++v) {
        const WordFrequency& frequency = row.frequencies[8 * v + u];
        column[v] = Dequantize(LoadValues(frequency.values, row.first_block + block), frequency);
      }
      IslowColumns(column);
      for (size_t y = 0; y < 8; ++y) workspace[y][u] = column[y];
    }
    for (size_t y = 0; y < 8; ++y) {
      IslowRows(workspace[y]);
      StoreSamples(workspace[y], row.out + y * row.out_stride + block * 8);
    }
  }
}

void Convert(const PixelRow& row) {
  VisitColorModel(row.color, [&row](auto model) {
    constexpr ColorModel kModel = decltype(model)::value;
    for (size_t i = 0; i < row.count; ++i) {
      int32_t rgb[kComponentsMax] = {};
      for (size_t c = 0; c < ComponentCount(kModel); ++c) rgb[c] = row.planes[c][i];
      ToRgbBytes<kModel>(rgb);
      for (size_t c = 0; c < 3; ++c) row.rgb[3 * i + c] = static_cast<uint8_t>(rgb[c]);
    }
  });
}

}  // namespace

const FullSizeLoops kScalarFullSizeLoops = {Islow, UpsampleRowH2V1, UpsampleRowH1V2, UpsampleRowH2V2,
                                            Convert};

}  // namespace freqstore
