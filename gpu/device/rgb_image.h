// Pixels on the host.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace freqstore {

/// An allocator whose resize() leaves new elements unwritten: zeroing an image costs as much as rendering a
/// small one.
template <typename T>
class UnwrittenAllocator : public std::allocator<T> {
 public:
  template <typename U>
  struct rebind {  // NOLINT(readability-identifier-naming): the standard library's name
    using other = UnwrittenAllocator<U>;
  };

  using std::allocator<T>::allocator;

  template <typename U>
  void construct(U* element) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(element)) U;
  }
  template <typename U, typename... Args>
  void construct(U* element, Args&&... args) {
    std::construct_at(element, std::forward<Args>(args)...);
  }
};

/// Interleaved 8-bit RGB.
struct RgbImage {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<uint8_t, UnwrittenAllocator<uint8_t>> pixels;  ///< height rows of width * 3 bytes
};

}  // namespace freqstore
