#include "gpu/cpu/render/operator_cache.h"

#include <algorithm>
#include <utility>

#include "gpu/cpu/render/render_loops.h"

namespace freqstore {

std::shared_ptr<const RenderOperator> OperatorCache::Get(Direction direction, const ComponentAxis& axis,
                                                         const AxisSampling& sampling, int side,
                                                         BlockTransform transform) {
  const Key key{direction, axis, sampling, side, transform};
  if (auto found = entries_.find(key); found != entries_.end()) {
    found->second.last_use = ++uses_;
    return found->second.made;
  }
  RenderOperator render{.axis = AxisOperator(axis, sampling, side, transform), .lanes = {}, .groups = {}};
  if (direction == Direction::kHorizontal) {
    render.lanes = LaneOperator(render.axis, lanes_);
  } else {
    render.groups = GroupTerms(render.axis, kRowGroup);
  }
  auto made = std::make_shared<const RenderOperator>(std::move(render));
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
