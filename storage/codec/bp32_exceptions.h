// The last step of decoding a bp32 run. Private to storage/codec; bp32_kernels.h describes runs.
#pragma once

#include <cstdint>
#include <span>

#include "storage/base/coding.h"

namespace freqstore {

/// Applies `exceptions`, as many as `counts` promise, to values that were unpacked without them. False if one
/// is of a place beyond the values or makes an int8 too great.
bool ApplyBp32Exceptions(const uint8_t* widths, const uint8_t* counts, Bytes exceptions,
                         std::span<int16_t> values);
bool ApplyBp32Exceptions(const uint8_t* widths, const uint8_t* counts, Bytes exceptions,
                         std::span<int8_t> values);

}  // namespace freqstore
