#include "storage/base/allocator.h"

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace freqstore {

void KeepFreedMemory() {
#if defined(__GLIBC__)
  constexpr int kMapFromBytes = 32 << 20;    // the greatest that glibc accepts
  constexpr int kTrimFromBytes = 128 << 20;  // of each arena
  mallopt(M_MMAP_THRESHOLD, kMapFromBytes);
  mallopt(M_TRIM_THRESHOLD, kTrimFromBytes);
#endif
}

}  // namespace freqstore
