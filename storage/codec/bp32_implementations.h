// The implementations of bp32's kernels, which bp32_kernels.cc chooses from. Private to storage/codec; the
// meaning of each function is in bp32_kernels.h.
//
// This header is included by files that are compiled for newer CPUs than the build's baseline. Neither it nor
// they may hold an inline function with external linkage: the linker keeps one copy of it, and that might be
// the newer one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/codec/bp32_kernels.h"

namespace freqstore::bp32_reference {

Bp32Lengths Measure(const int16_t* values, size_t count, uint8_t* widths, uint8_t* counts);
void Pack(const int16_t* values, size_t count, const uint8_t* widths, const uint8_t* counts, uint8_t* packed,
          uint8_t* exceptions);
Bp32Lengths Lengths(const uint8_t* widths, const uint8_t* counts, size_t groups);
void Unpack(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count, int16_t* values);
void UnpackNarrow(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count,
                  int8_t* values);
unsigned WidthMax(const uint8_t* widths, size_t groups);
void UndoPrediction(int16_t* values, size_t width_blocks, size_t height_blocks);

}  // namespace freqstore::bp32_reference

#if defined(__x86_64__)

namespace freqstore::bp32_avx2 {

Bp32Lengths Measure(const int16_t* values, size_t count, uint8_t* widths, uint8_t* counts);
void Pack(const int16_t* values, size_t count, const uint8_t* widths, const uint8_t* counts, uint8_t* packed,
          uint8_t* exceptions);
Bp32Lengths Lengths(const uint8_t* widths, const uint8_t* counts, size_t groups);
void Unpack(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count, int16_t* values);
void UnpackNarrow(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count,
                  int8_t* values);
unsigned WidthMax(const uint8_t* widths, size_t groups);
void UndoPrediction(int16_t* values, size_t width_blocks, size_t height_blocks);

}  // namespace freqstore::bp32_avx2

namespace freqstore::bp32_avx512 {

void Pack(const int16_t* values, size_t count, const uint8_t* widths, const uint8_t* counts, uint8_t* packed,
          uint8_t* exceptions);
void Unpack(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count, int16_t* values);
void UnpackNarrow(const uint8_t* widths, const uint8_t* packed, size_t packed_bytes, size_t count,
                  int8_t* values);
void UndoPrediction(int16_t* values, size_t width_blocks, size_t height_blocks);

}  // namespace freqstore::bp32_avx512

#endif
