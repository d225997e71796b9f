// The loop of reduced_loops.h in plain C++.
#include "gpu/cpu/render/reduced_loops.h"
#include "gpu/kernels/reduced_transform.h"

namespace freqstore {
namespace {

constexpr size_t kBlocks = 4;  // one a lane
typedef int32_t Ints __attribute__((vector_size(4 * kBlocks)));

template <typename Value>
Ints ToInts(const Value* p) {
  return Ints{p[0], p[1], p[2], p[3]};
}

Ints LoadInput(const WordFrequency& frequency, size_t block) {
  const CoefficientRow& values = frequency.values;
  if (values.narrow != nullptr) return Dequantize(ToInts(values.narrow + block), frequency);
  return values.wide != nullptr ? Dequantize(ToInts(values.wide + block), frequency) : Ints{};
}

typedef Ints Workspace[8][8];  // [y][u]

template <size_t N>
void TransformColumns(const ReducedBlocks& blocks, size_t block, Workspace& workspace) {
  for (size_t u = 0; u < blocks.points_x; ++u) {
    Ints x[N];
    for (size_t v = 0; v < N; ++v) x[v] = LoadInput(blocks.frequencies[8 * v + u], block);
    ReducedTransform<N>(x);
    for (size_t y = 0; y < N; ++y) workspace[y][u] = x[y];
  }
}

template <size_t N>
void TransformRows(const ReducedBlocks& blocks, const Workspace& workspace, uint8_t* out) {
  for (size_t y = 0; y < blocks.points_y; ++y) {
    Ints x[N];
    for (size_t u = 0; u < N; ++u) x[u] = workspace[y][u];
    ReducedRow(x);
    for (size_t block = 0; block < kBlocks; ++block) {
      for (size_t n = 0; n < N; ++n)
        out[y * blocks.out_stride + block * N + n] = static_cast<uint8_t>(x[n][block]);
    }
  }
}

constexpr decltype(&TransformColumns<1>) kColumns[8] = {
    TransformColumns<1>, TransformColumns<2>, TransformColumns<3>, TransformColumns<4>,
    TransformColumns<5>, TransformColumns<6>, TransformColumns<7>, TransformColumns<8>};
constexpr decltype(&TransformRows<1>) kRows[8] = {TransformRows<1>, TransformRows<2>, TransformRows<3>,
                                                  TransformRows<4>, TransformRows<5>, TransformRows<6>,
                                                  TransformRows<7>, TransformRows<8>};

void Transform(const ReducedBlocks& blocks) {
  for (size_t block = 0; block < blocks.blocks; block += kBlocks) {
    Workspace workspace;
    kColumns[blocks.points_y - 1](blocks, blocks.first_block + block, workspace);
    kRows[blocks.points_x - 1](blocks, workspace, blocks.out + block * blocks.points_x);
  }
}

}  // namespace

const ReducedLoops kScalarReducedLoops = {Transform};

}  // namespace freqstore
