// Entropy-coded bits to bytes: most significant bit first, a zero byte stuffed behind each 0xff.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "storage/jpeg/byte_sink.h"

namespace freqstore {

/// The state of BitWriter that changes with every code. A coder's inner loop works on a copy, which the
/// compiler keeps in registers.
struct BitCursor {
  uint64_t bits = 0;  ///< the last 64 - free of them are not yet at `out`
  int free = 64;      ///< 1..64 between calls
  uint8_t* out = nullptr;

  /// Appends the last `length` bits, at most 63, of `value`, whose other bits are 0.
  void Put(uint64_t value, int length) {
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
  void StoreBytes() {
    int pending = 64 - free;
    for (; pending >= 8; pending -= 8) StoreByte(static_cast<uint8_t>(bits >> (pending - 8)));
    free = 64 - pending;
  }

 private:
  void StoreByte(uint8_t byte) {
    *out++ = byte;
    if (byte == 0xff) *out++ = 0;
  }

  void StoreWord() {
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

/// Collects bytes for a sink and hands them on in large pieces. After the sink has refused some, the rest is
/// dropped and failed() is true. Not thread-safe.
class BitWriter {
 public:
  /// `sink` must outlive the writer.
  explicit BitWriter(ByteSink& sink) : sink_(sink), buffer_(kBufferBytes + kRoomBytes) {
    cursor_.out = buffer_.data();
  }
  BitWriter(const BitWriter&) = delete;
  BitWriter& operator=(const BitWriter&) = delete;

  /// A cursor with room for kRoomBytes, stuffed bytes counted; to be given back with Commit.
  static constexpr size_t kRoomBytes = 2048;
  BitCursor Begin() {
    if (cursor_.out >= buffer_.data() + kBufferBytes) Drain();
    return cursor_;
  }
  void Commit(const BitCursor& cursor) { cursor_ = cursor; }

  /// Moves whole bytes out of the bit buffer; returns how many of the bits of the next byte are written.
  int StoreWholeBytes() {
    cursor_ = Begin();
    cursor_.StoreBytes();
    return 64 - cursor_.free;
  }

  /// Bytes written since construction, without the bits that are no whole byte. Call StoreWholeBytes before.
  uint64_t position() const { return drained_bytes_ + static_cast<uint64_t>(cursor_.out - buffer_.data()); }

  /// Appends bytes as they are. The bits before must be whole bytes.
  void WriteBytes(Bytes bytes) {
    StoreWholeBytes();
    Drain();
    Send(bytes);
  }

  /// Hands everything on; the bits must be whole bytes.
  bool Flush() {
    StoreWholeBytes();
    Drain();
    return !failed_;
  }

  bool failed() const { return failed_; }

 private:
  static constexpr size_t kBufferBytes = size_t{32} << 10;

  void Drain() {
    const Bytes bytes(buffer_.data(), cursor_.out);
    cursor_.out = buffer_.data();
    Send(bytes);
  }

  void Send(Bytes bytes) {
    drained_bytes_ += bytes.size();
    if (!failed_ && !bytes.empty()) failed_ = !sink_.Write(bytes);
  }

  ByteSink& sink_;
  std::vector<uint8_t> buffer_;
  BitCursor cursor_;
  uint64_t drained_bytes_ = 0;
  bool failed_ = false;
};

}  // namespace freqstore
