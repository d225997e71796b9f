// Memory for tensors: 64-byte aligned, so that vector loads do not straddle cache lines.
#pragma once

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"

namespace freqstore {

struct FreeAligned {
  void operator()(std::byte* p) const;
};
using AlignedBuffer = std::unique_ptr<std::byte[], FreeAligned>;

inline constexpr size_t kTensorAlignment = 64;

/// Uninitialised. RESOURCE_EXHAUSTED (OUT_OF_DEVICE_MEMORY) if there is not that much.
absl::StatusOr<AlignedBuffer> AllocateAligned(size_t bytes);

}  // namespace freqstore
