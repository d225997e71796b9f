// Scratch memory that grows and is reused.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace freqstore {

/// An array aligned for any vector load. Movable; not thread-safe.
template <typename T>
class ScratchBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ScratchBuffer() = default;
  ScratchBuffer(ScratchBuffer&& other) noexcept
      : storage_(std::move(other.storage_)), size_(std::exchange(other.size_, 0)) {}
  ScratchBuffer& operator=(ScratchBuffer&& other) noexcept {
    storage_ = std::move(other.storage_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  /// Makes room for `count` elements. What was in the buffer stays only if it did not grow; new memory is
  /// zero.
  void Reserve(size_t count) {
    if (ReserveUnset(count)) std::memset(static_cast<void*>(storage_.get()), 0, size_ * sizeof(T));
  }

  /// The same, but new memory is unspecified. True if it grew.
  bool ReserveUnset(size_t count) {
    if (count <= size_) return false;
    storage_.reset();
    size_ = 0;
    storage_.reset(static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kAlignment})));
    size_ = count;
    return true;
  }

  /// Gives the memory back if it is more than `bytes_max`.
  void ReleaseAbove(size_t bytes_max) {
    if (size_ * sizeof(T) <= bytes_max) return;
    storage_.reset();
    size_ = 0;
  }

  T* data() { return storage_.get(); }
  const T* data() const { return storage_.get(); }

 private:
  static constexpr size_t kAlignment = 64;
  struct Free {
    void operator()(T* p) const { ::operator delete (p, std::align_val_t{kAlignment}); }
  };

  std::unique_ptr<T, Free> storage_;
  size_t size_ = 0;
};

}  // namespace freqstore
