// The implementations of r32's kernels, which r32_kernels.cc chooses from. Private to storage/codec; the
// meaning of each function is in r32_kernels.h.
//
// Some of these files are compiled for newer CPUs than the build's baseline: see bp32_implementations.h.
#pragma once

#include "storage/codec/r32_kernels.h"

namespace freqstore {

extern const R32Kernels kR32ReferenceKernels;

namespace r32_reference {
void Encode(const R32EncodeTable& table, const R32Image& image, const uint8_t* activities,
            const uint8_t* group_activities, R32Sink& sink);
}  // namespace r32_reference

#if defined(__x86_64__)
extern const R32Kernels kR32Avx2Kernels;
extern const R32Kernels kR32Avx512Kernels;

namespace r32_avx512 {
void Encode(const R32EncodeTable& table, const R32Image& image, const uint8_t* activities,
            const uint8_t* group_activities, R32Sink& sink);
}  // namespace r32_avx512
#endif

}  // namespace freqstore
