// Axis operators by geometry: images of one size share them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "gpu/cpu/render/group_terms.h"
#include "gpu/cpu/render/lane_operator.h"
#include "gpu/kernels/axis_operator.h"

namespace freqstore {

enum class Direction : uint8_t { kHorizontal, kVertical };

/// An operator in the layouts that its direction needs.
struct RenderOperator {
  AxisOperator axis;
  LaneOperator lanes;  ///< kHorizontal
  GroupTerms groups;   ///< kVertical
  size_t bytes() const { return axis.bytes() + lanes.bytes() + groups.bytes(); }
};

/// Keeps the operators used last, up to `bytes_max` of them, for vectors of `lanes`. Not thread-safe.
class OperatorCache {
 public:
  OperatorCache(size_t bytes_max, size_t lanes) : bytes_max_(bytes_max), lanes_(lanes) {}

  /// The operator of these arguments, made at need. It outlives its place in the cache.
  std::shared_ptr<const RenderOperator> Get(Direction direction, const ComponentAxis& axis,
                                            const AxisSampling& sampling, int side,
                                            BlockTransform transform = BlockTransform::kEightPoint);

  size_t bytes() const { return bytes_; }

 private:
  struct Key {
    Direction direction;
    ComponentAxis axis;
    AxisSampling sampling;
    int side;
    BlockTransform transform;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Entry {
    std::shared_ptr<const RenderOperator> made;
    uint64_t last_use = 0;
  };

  void EvictFor(size_t bytes);

  const size_t bytes_max_;
  const size_t lanes_;
  std::map<Key, Entry> entries_;
  size_t bytes_ = 0;
  uint64_t uses_ = 0;
};

}  // namespace freqstore
