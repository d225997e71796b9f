// Where a file goes that is written piece by piece.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "storage/base/coding.h"

namespace freqstore {

/// Takes bytes in order. Not thread-safe.
class ByteSink {
 public:
  virtual ~ByteSink() = default;

  /// False if the bytes are not wanted; nothing should be written after that.
  virtual bool Write(Bytes bytes) = 0;

 protected:
  ByteSink() = default;
  ByteSink(const ByteSink&) = default;
  ByteSink& operator=(const ByteSink&) = default;
};

/// Appends to a string, up to a bound.
class StringSink final : public ByteSink {
 public:
  explicit StringSink(size_t bytes_max) : bytes_max_(bytes_max) {}

  bool Write(Bytes bytes) override {
    if (bytes.size() > bytes_max_ - bytes_.size()) return false;
    bytes_ += AsString(bytes);
    return true;
  }

  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
  size_t bytes_max_;
};

/// Compares with what is expected and keeps nothing.
class ComparingSink final : public ByteSink {
 public:
  /// A view of `expected` is kept.
  explicit ComparingSink(Bytes expected) : rest_(expected) {}

  bool Write(Bytes bytes) override {
    if (bytes.size() > rest_.size() || !std::equal(bytes.begin(), bytes.end(), rest_.begin())) return false;
    rest_ = rest_.subspan(bytes.size());
    return true;
  }

  bool complete() const { return rest_.empty(); }

 private:
  Bytes rest_;
};

}  // namespace freqstore
