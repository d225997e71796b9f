// Entropy-coded bits to bytes: most significant bit first, a zero byte stuffed behind each 0xff.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "storage/jpeg/bit_cursor.h"
#include "storage/jpeg/byte_sink.h"

namespace freqstore {

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
