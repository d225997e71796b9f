#include "gpu/cpu/render/operator_cache.h"

#include <algorithm>

namespace freqstore {

std::shared_ptr<const AxisOperator> OperatorCache::Get(const ComponentAxis& axis,
                                                       const AxisSampling& sampling, int side,
                                                       BlockTransform transform) {
  const Key key{axis, sampling, side, transform};
  if (auto found = entries_.find(key); found != entries_.end()) {
    found->second.last_use = ++uses_;
    return found->second.axis_operator;
  }
  auto made = std::make_shared<const AxisOperator>(axis, sampling, side, transform);
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
    bytes_ -= oldest->second.axis_operator->bytes();
    entries_.erase(oldest);
  }
}

}  // namespace freqstore
