// Quantised DCT coefficients of one component of one image, frequency by frequency.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "storage/base/dct.h"
#include "storage/base/scratch_buffer.h"

namespace freqstore {

/// A plane of values, one a block in raster order, for each frequency of a set.
///
/// A plane is wide (int16) or, if its values fit, narrow (int8): most columns of photos do, and half the
/// bytes is twice the images in cache. Values are what the JPEG file codes (DC not differenced, nothing
/// dequantised). Planes start on 64 bytes, and kSlackValues values behind each may be read and written, so
/// that vector loops need no tails. Not thread-safe to write; Reset() keeps the memory, so one object serves
/// image after image.
class CoefficientPlanes {
 public:
  static constexpr size_t kSlackValues = 64;

  CoefficientPlanes() = default;
  CoefficientPlanes(BlockGrid grid, FrequencySet frequencies) { Reset(grid, frequencies); }
  CoefficientPlanes(const CoefficientPlanes& other);
  CoefficientPlanes& operator=(const CoefficientPlanes& other);
  CoefficientPlanes(CoefficientPlanes&&) noexcept = default;
  CoefficientPlanes& operator=(CoefficientPlanes&&) noexcept = default;
  ~CoefficientPlanes() = default;

  /// Sets shape and members; those that are also in `narrow` are int8. The values are unspecified afterwards.
  void Reset(BlockGrid grid, FrequencySet frequencies, FrequencySet narrow = {});

  /// Forgets all frequencies but `kept`, a subset.
  void Keep(FrequencySet kept) {
    assert((kept.bits() & ~frequencies_.bits()) == 0);
    frequencies_ = kept;
  }

  const BlockGrid& grid() const { return grid_; }
  FrequencySet frequencies() const { return frequencies_; }
  bool IsNarrow(int zigzag) const { return narrow_.Contains(zigzag); }

  /// The plane of a zigzag index that is in frequencies() and wide.
  std::span<int16_t> plane(int zigzag) { return {At<int16_t>(zigzag, false), PlaneSize()}; }
  std::span<const int16_t> plane(int zigzag) const { return {At<const int16_t>(zigzag, false), PlaneSize()}; }

  /// The plane of one that is narrow.
  std::span<int8_t> narrow_plane(int zigzag) { return {At<int8_t>(zigzag, true), PlaneSize()}; }
  std::span<const int8_t> narrow_plane(int zigzag) const {
    return {At<const int8_t>(zigzag, true), PlaneSize()};
  }

  int16_t value(int zigzag, size_t block) const {
    return IsNarrow(zigzag) ? narrow_plane(zigzag)[block] : plane(zigzag)[block];
  }

  /// A copy of a plane, wide.
  std::vector<int16_t> Values(int zigzag) const;

  /// Bytes that the planes take.
  size_t bytes() const { return bytes_; }

 private:
  size_t PlaneSize() const { return static_cast<size_t>(grid_.blocks()); }

  template <typename Value>
  Value* At(int zigzag, [[maybe_unused]] bool narrow) const {
    assert(frequencies_.Contains(zigzag) && IsNarrow(zigzag) == narrow);
    return reinterpret_cast<Value*>(const_cast<uint8_t*>(memory_.data()) +
                                    offsets_[static_cast<size_t>(zigzag)]);
  }

  BlockGrid grid_;
  FrequencySet frequencies_;
  FrequencySet narrow_;
  std::array<size_t, kFrequencies> offsets_{};  ///< into memory_, of the members
  size_t bytes_ = 0;
  ScratchBuffer<uint8_t> memory_;
};

}  // namespace freqstore
