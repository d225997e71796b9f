// The innermost part of writing entropy-coded bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace freqstore {

/// The state of BitWriter that changes with every code. A coder's inner loop works on a copy, which the
/// compiler keeps in registers. Everything is inlined always: some callers are compiled for newer CPUs, and
/// their copies of a function must not become everyone's.
struct BitCursor {
  uint64_t bits = 0;  ///< the last 64 - free of them are not yet at `out`
  int free = 64;      ///< 1..64 between calls
  uint8_t* out = nullptr;

  /// Appends the last `length` bits, at most 63, of `value`, whose other bits are 0.
  __attribute__((always_inline)) void Put(uint64_t value, int length) {
    free -= length;
    if (free > 0) {
      bits = bits << length | value;
      return;
    }
    // The word was free by length + free bits, 1..63, which the front of the value fills.
    bits = bits << (length + free) | value >> -free;
    StoreWord();
    bits = value;
    free += 64;
  }

  /// Moves the whole bytes of `bits` to `out`; fewer than 8 bits stay.
  __attribute__((always_inline)) void StoreBytes() {
    int pending = 64 - free;
    for (; pending >= 8; pending -= 8) StoreByte(static_cast<uint8_t>(bits >> (pending - 8)));
    free = 64 - pending;
  }

 private:
  __attribute__((always_inline)) void StoreByte(uint8_t byte) {
    *out++ = byte;
    if (byte == 0xff) *out++ = 0;
  }

  __attribute__((always_inline)) void StoreWord() {
    // A byte of all ones is one whose top bit is set and stays set when 1 is added below it without carry
    // out.
    const uint64_t ones = bits & 0x8080808080808080 & ~(bits + 0x0101010101010101);
    if (ones == 0) {
      uint64_t big_endian = bits;
      if constexpr (std::endian::native == std::endian::little) big_endian = __builtin_bswap64(bits);
      std::memcpy(out, &big_endian, sizeof(big_endian));
      out += sizeof(big_endian);
      return;
    }
    for (int shift = 56; shift >= 0; shift -= 8) StoreByte(static_cast<uint8_t>(bits >> shift));
  }
};

}  // namespace freqstore
