#include "storage/base/coefficient_planes.h"

#include <cstring>

namespace freqstore {
namespace {

constexpr size_t kCacheLine = 64;
constexpr size_t kPage = 4096;

/// Room for a plane. Blocks at the same place of several planes are read together: planes that were a
/// multiple of a page apart would compete for the same lines of the first-level cache.
size_t PlaneStride(size_t values, size_t value_bytes) {
  const size_t bytes = (values + CoefficientPlanes::kSlackValues) * value_bytes;
  const size_t lines = (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  return lines % kPage == 0 ? lines + kCacheLine : lines;
}

}  // namespace

void CoefficientPlanes::Reset(BlockGrid grid, FrequencySet frequencies, FrequencySet narrow) {
  grid_ = grid;
  frequencies_ = frequencies;
  narrow_ = FrequencySet(narrow.bits() & frequencies.bits());
  bytes_ = 0;
  const size_t narrow_stride = PlaneStride(PlaneSize(), sizeof(int8_t));
  const size_t wide_stride = PlaneStride(PlaneSize(), sizeof(int16_t));
  for (int z = 0; z < kFrequencies; ++z) {
    if (!frequencies_.Contains(z)) continue;
    offsets_[static_cast<size_t>(z)] = bytes_;
    bytes_ += IsNarrow(z) ? narrow_stride : wide_stride;
  }
  memory_.ReserveUnset(bytes_);
}

std::vector<int16_t> CoefficientPlanes::Values(int zigzag) const {
  if (IsNarrow(zigzag)) return {narrow_plane(zigzag).begin(), narrow_plane(zigzag).end()};
  return {plane(zigzag).begin(), plane(zigzag).end()};
}

CoefficientPlanes::CoefficientPlanes(const CoefficientPlanes& other) {
  *this = other;
}

CoefficientPlanes& CoefficientPlanes::operator=(const CoefficientPlanes& other) {
  if (this == &other) return *this;
  grid_ = other.grid_;
  frequencies_ = other.frequencies_;
  narrow_ = other.narrow_;
  offsets_ = other.offsets_;
  bytes_ = other.bytes_;
  memory_.ReserveUnset(bytes_);
  if (bytes_ > 0) std::memcpy(memory_.data(), other.memory_.data(), bytes_);
  return *this;
}

}  // namespace freqstore
