#include "gpu/cpu/model/aligned_buffer.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "storage/base/status.h"

namespace freqstore {

void FreeAligned::operator()(std::byte* p) const {
  ::operator delete[](p, std::align_val_t{kTensorAlignment});
}

absl::StatusOr<AlignedBuffer> AllocateAligned(size_t bytes) {
  void* memory =
      ::operator new[](std::max<size_t>(bytes, 1), std::align_val_t{kTensorAlignment}, std::nothrow);
  if (memory == nullptr) {
    return MakeError(absl::StatusCode::kResourceExhausted, "OUT_OF_DEVICE_MEMORY",
                     fmt::format("cannot allocate {} bytes for tensors; use a smaller batch", bytes));
  }
  return AlignedBuffer(static_cast<std::byte*>(memory));
}

}  // namespace freqstore
