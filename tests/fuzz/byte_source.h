// A fuzz target's input as a stream of numbers, for what is made up of it.
#pragma once

#include <cstdint>

#include "storage/base/coding.h"

namespace freqstore {

/// Once the bytes are used up, it goes on with others that follow from them: a short input, which a fuzzer
/// gets through many of, has as much to say as a long one.
class ByteSource {
 public:
  explicit ByteSource(Bytes bytes) : bytes_(bytes) {}

  uint8_t Byte() {
    if (bytes_.empty()) {
      state_ = state_ * 1664525 + 1013904223;
      return static_cast<uint8_t>(state_ >> 24);
    }
    const uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    state_ = (state_ ^ byte) * 2654435761u;
    return byte;
  }

  /// 16 bits: stands in for a random number generator.
  uint32_t operator()() {
    const uint32_t low = Byte();
    return low | uint32_t{Byte()} << 8;
  }

  Bytes rest() const { return bytes_; }

 private:
  Bytes bytes_;
  uint32_t state_ = 1;
};

}  // namespace freqstore
