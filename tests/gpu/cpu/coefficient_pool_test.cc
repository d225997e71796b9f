#include "gpu/cpu/coefficient_pool.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

ImagePlanes PlanesOf(BlockGrid grid) {
  ImagePlanes planes;
  planes.emplace_back(grid, FrequencySet::All());
  return planes;
}

TEST_CASE("the pool lends memory again that was given back") {
  CoefficientPool pool;
  CHECK(pool.Take().empty());
  ImagePlanes planes = PlanesOf({4, 4});
  const int16_t* memory = planes[0].plane(0).data();
  pool.GiveBack(std::move(planes));
  planes = pool.Take();
  REQUIRE(planes.size() == 1);
  CHECK(planes[0].plane(0).data() == memory);
  CHECK(pool.size() == 0);
}

TEST_CASE("the pool is bounded in images and in the size of one") {
  CoefficientPool pool;
  for (size_t i = 0; i < CoefficientPool::kImagesMax + 5; ++i) pool.GiveBack(PlanesOf({1, 1}));
  CHECK(pool.size() == CoefficientPool::kImagesMax);
  CoefficientPool other;
  other.GiveBack(PlanesOf({1024, 64}));
  CHECK(other.size() == 0);
}

}  // namespace
}  // namespace freqstore
