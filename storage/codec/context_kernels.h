// What r32 derives from values before it predicts from them, in loops. context_reference.cc is the plain
// meaning.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/base/cpu_features.h"

namespace freqstore {

/// Planes have slack for whole groups of 32 (CoefficientPlanes::kSlackValues): it may be read and written,
/// and what is in it does not matter.
struct ContextKernels {
  /// Clamps values to -128..127.
  void (*clamp)(const int16_t* values, size_t count, int8_t* out);

  /// How many of each 32 values are not 0.
  void (*count)(const int8_t* values, size_t count, uint8_t* out);

  /// How DC changes at each block: right less left neighbour, lower less upper one, the block itself standing
  /// for one that is not there; clamped to -128..127.
  void (*gradients)(const int16_t* dc, size_t width_blocks, size_t height_blocks, int8_t* horizontal,
                    int8_t* vertical);
};

/// The kernels of a level that this machine supports; they live for ever.
const ContextKernels& GetContextKernels(SimdLevel level);

/// Private to storage/codec.
extern const ContextKernels kContextReferenceKernels;
#if defined(__x86_64__)
extern const ContextKernels kContextAvx2Kernels;
#endif

}  // namespace freqstore
