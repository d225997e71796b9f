#include "gpu/cpu/render/operator_cache.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

constexpr size_t kLanes = 8;

AxisSampling Resize(uint32_t size) {
  return {.resized = size, .first = 0, .count = size};
}

TEST_CASE("operators of equal arguments are shared, others are not") {
  OperatorCache cache(1 << 20, kLanes);
  const ComponentAxis axis{.image_size = 500};
  const auto first = cache.Get(Direction::kHorizontal, axis, Resize(224), 6);
  CHECK(cache.Get(Direction::kHorizontal, axis, Resize(224), 6) == first);
  CHECK(cache.Get(Direction::kHorizontal, axis, Resize(224), 5) != first);
  CHECK(cache.Get(Direction::kVertical, axis, Resize(224), 6) != first);
  CHECK(cache.Get(Direction::kHorizontal, axis, Resize(225), 6) != first);
  CHECK(cache.Get(Direction::kHorizontal, {.image_size = 501}, Resize(224), 6) != first);
  CHECK(cache.Get(Direction::kHorizontal, {.image_size = 500, .samp = 1, .samp_max = 2}, Resize(224), 6) !=
        first);
  AxisSampling mirrored = Resize(224);
  mirrored.mirrored = true;
  CHECK(cache.Get(Direction::kHorizontal, axis, mirrored, 6) != first);
}

TEST_CASE("the cache forgets what was not used for longest and stays in its bound") {
  const AxisSampling sampling = Resize(64);
  const AxisOperator axis({.image_size = 64}, sampling, 1);
  const size_t operator_bytes = axis.bytes() + LaneOperator(axis, kLanes).bytes();
  OperatorCache cache(2 * operator_bytes, kLanes);
  const auto a = cache.Get(Direction::kHorizontal, {.image_size = 64, .samp = 1, .samp_max = 1}, sampling, 1);
  const auto b = cache.Get(Direction::kHorizontal, {.image_size = 64, .samp = 2, .samp_max = 2}, sampling, 1);
  CHECK(cache.Get(Direction::kHorizontal, {.image_size = 64, .samp = 1, .samp_max = 1}, sampling, 1) == a);
  cache.Get(Direction::kHorizontal, {.image_size = 64, .samp = 3, .samp_max = 3}, sampling, 1);
  CHECK(cache.bytes() == 2 * operator_bytes);
  CHECK(cache.Get(Direction::kHorizontal, {.image_size = 64, .samp = 1, .samp_max = 1}, sampling, 1) == a);
  CHECK(cache.Get(Direction::kHorizontal, {.image_size = 64, .samp = 2, .samp_max = 2}, sampling, 1) != b);
}

TEST_CASE("an operator larger than the cache is made and not kept") {
  OperatorCache cache(16, kLanes);
  const auto large = cache.Get(Direction::kHorizontal, {.image_size = 100}, Resize(100), 8);
  CHECK(large->axis.rows().size() == 100);
  CHECK(cache.bytes() == 0);
}

}  // namespace
}  // namespace freqstore
