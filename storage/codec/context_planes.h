// What r32 predicts from in one component of one image: for each column, its values clamped to a byte, and
// how many of each 32 blocks are not 0; the same for how DC changes.
#pragma once

#include <array>
#include <cstdint>

#include "storage/base/coefficient_planes.h"
#include "storage/base/scratch_buffer.h"
#include "storage/codec/context_kernels.h"
#include "storage/codec/r32_kernels.h"

namespace freqstore {

/// Made of an image's CoefficientPlanes, on demand, column by column as those are decoded. A narrow plane
/// serves as it is. Keeps its memory from image to image. Not thread-safe.
class ContextPlanes {
 public:
  /// A plane's memory for whoever decodes it, with slack for whole groups.
  struct Column {
    int8_t* clamped = nullptr;  ///< the plane itself if that is narrow
    uint8_t* counts = nullptr;
  };

  explicit ContextPlanes(SimdLevel level) : kernels_(&GetContextKernels(level)) {}

  /// Starts an image. `planes` must outlive the use of what is made of them.
  void Reset(CoefficientPlanes& planes);

  /// The memory for a column whose decoder fills both parts: call SetKnown then.
  Column Memory(int zigzag);
  void SetKnown(int zigzag) { known_ |= uint64_t{1} << zigzag; }

  /// A column that is in the planes, computed if it is not known.
  Column Get(int zigzag);

  /// Adds what `model` of column `zigzag` refers to. `previous` is the component before, or null if it cannot
  /// be referred to.
  R32References Find(const R32Model& model, int zigzag, ContextPlanes* previous);

  /// Scratch for R32Image::occupied.
  uint32_t* occupied() { return occupied_.data(); }

 private:
  static constexpr int kHorizontal = kFrequencies;
  static constexpr int kVertical = kFrequencies + 1;
  static constexpr int kNone = kFrequencies + 2;  // all 0
  static constexpr size_t kColumns = kFrequencies + 3;

  Column MemoryOf(int index);
  Column GradientOf(int index);

  const ContextKernels* kernels_;
  CoefficientPlanes* planes_ = nullptr;
  uint64_t known_ = 0;
  bool gradients_known_ = false;
  size_t stride_ = 0;
  size_t counts_stride_ = 0;
  ScratchBuffer<int8_t> clamped_;
  ScratchBuffer<uint8_t> counts_;
  ScratchBuffer<uint32_t> occupied_;
};

}  // namespace freqstore
