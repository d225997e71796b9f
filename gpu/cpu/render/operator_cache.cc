#include "gpu/cpu/render/operator_cache.h"

#include <algorithm>
#include <utility>

namespace freqstore {

std::shared_ptr<const RenderOperator> OperatorCache::Get(const ComponentAxis& axis,
                                                         const AxisSampling& sampling, int side,
                                                         BlockTransform transform) {
  const Key key{axis, sampling, side, transform};
  if (auto found = entries_.find(key); found != entries_.end()) {
    found->second.last_use = ++uses_;
    return found->second.made;
  }
  AxisOperator axis_operator(axis, sampling, side, transform);
  LaneOperator lane_operator(axis_operator, lanes_);
  auto made = std::make_shared<const RenderOperator>(
      RenderOperator{std::move(axis_operator), std::move(lane_operator)});
  if (made->bytes() > bytes_max_) return made;
  EvictFor(made->bytes());
  entries_.emplace(key, Entry{made, ++uses_});
  bytes_ += made->bytes();
  return made;
}

void OperatorCache::EvictFor(size_t bytes) {
  while (bytes_ + bytes > bytes_max_) {
    const auto oldest = std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
      return a.second.last_use < b.second.last_use;
    });
    bytes_ -= oldest->second.made->bytes();
    entries_.erase(oldest);
  }
}

}  // namespace freqstore
