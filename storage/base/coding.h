// Fixed-width integers in byte strings, and a bounds-checked reader over untrusted bytes.
//
// Keys are big-endian, so that byte order is numeric order; everything inside values is little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace freqstore {

using Bytes = std::span<const uint8_t>;

inline Bytes AsBytes(std::string_view s) {
  return {reinterpret_cast<const uint8_t*>(s.data()), s.size()};
}
inline std::string_view AsString(Bytes b) {
  return {reinterpret_cast<const char*>(b.data()), b.size()};
}

template <typename T>
void AppendBigEndian(std::string& out, T value) {
  static_assert(std::is_unsigned_v<T>);
  for (size_t i = sizeof(T); i-- > 0;) out.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
}

template <typename T>
void AppendLittleEndian(std::string& out, T value) {
  static_assert(std::is_unsigned_v<T>);
  for (size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
}

/// Reads from the front of a view. Every call returns nullopt, and consumes nothing, where the bytes do not
/// suffice.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  template <typename T>
  std::optional<T> ReadLittleEndian() {
    static_assert(std::is_unsigned_v<T>);
    if (bytes_.size() < sizeof(T)) return std::nullopt;
    T value = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      value = static_cast<T>(value | (static_cast<T>(bytes_[i]) << (8 * i)));
    bytes_ = bytes_.subspan(sizeof(T));
    return value;
  }

  template <typename T>
  std::optional<T> ReadBigEndian() {
    static_assert(std::is_unsigned_v<T>);
    if (bytes_.size() < sizeof(T)) return std::nullopt;
    T value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) {
      value = static_cast<T>(value | (static_cast<T>(bytes_[i]) << (8 * (sizeof(T) - 1 - i))));
    }
    bytes_ = bytes_.subspan(sizeof(T));
    return value;
  }

  std::optional<Bytes> ReadBytes(size_t count) {
    if (bytes_.size() < count) return std::nullopt;
    Bytes front = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return front;
  }

  Bytes rest() const { return bytes_; }
  size_t remaining() const { return bytes_.size(); }

 private:
  Bytes bytes_;
};

}  // namespace freqstore
