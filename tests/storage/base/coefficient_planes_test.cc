#include "storage/base/coefficient_planes.h"

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

constexpr FrequencySet kSome(0b1101);
constexpr FrequencySet kNarrow(0b0101);  // 0 and 2; 3 is wide

/// Every plane has values of its own, the narrow ones negative too.
void Fill(CoefficientPlanes& planes) {
  for (int z = 0; z < kFrequencies; ++z) {
    if (!planes.frequencies().Contains(z)) continue;
    if (planes.IsNarrow(z)) {
      const auto plane = planes.narrow_plane(z);
      std::iota(plane.begin(), plane.end(), static_cast<int8_t>(-z - 5));
    } else {
      const auto plane = planes.plane(z);
      std::iota(plane.begin(), plane.end(), static_cast<int16_t>(1000 * z));
    }
  }
}

void CheckFilled(const CoefficientPlanes& planes, int zigzag) {
  const std::vector<int16_t> values = planes.Values(zigzag);
  REQUIRE(values.size() == planes.grid().blocks());
  for (size_t block = 0; block < values.size(); ++block) {
    const int expected = planes.IsNarrow(zigzag) ? static_cast<int>(block) - zigzag - 5
                                                 : static_cast<int>(block) + 1000 * zigzag;
    CHECK(values[block] == expected);
    CHECK(planes.value(zigzag, block) == expected);
  }
}

}  // namespace

TEST_CASE("Planes are wide or narrow", "[planes]") {
  CoefficientPlanes planes;
  CHECK(planes.frequencies().empty());
  CHECK(planes.bytes() == 0);
  planes.Reset({5, 7}, kSome, kNarrow);
  CHECK(planes.grid() == BlockGrid{5, 7});
  CHECK(planes.frequencies() == kSome);
  CHECK(planes.IsNarrow(0));
  CHECK(planes.IsNarrow(2));
  CHECK(!planes.IsNarrow(3));
  CHECK(planes.narrow_plane(0).size() == 35);
  CHECK(planes.plane(3).size() == 35);
  Fill(planes);
  for (int z : {0, 2, 3}) CheckFilled(planes, z);
}

TEST_CASE("Only members are narrow", "[planes]") {
  CoefficientPlanes planes;
  planes.Reset({2, 2}, FrequencySet(0b100), FrequencySet::All());
  CHECK(planes.IsNarrow(2));
  CHECK(!planes.IsNarrow(1));
  planes.Reset({2, 2}, FrequencySet(0b100));
  CHECK(!planes.IsNarrow(2));
}

TEST_CASE("Planes are aligned, and their slack may be written", "[planes]") {
  for (uint32_t width : {1u, 31u, 32u, 64u, 1984u, 2047u, 4032u}) {
    CAPTURE(width);
    CoefficientPlanes planes;
    planes.Reset({width, 1}, FrequencySet(0b1111), kNarrow);
    Fill(planes);
    for (int z = 0; z < 4; ++z) {
      if (planes.IsNarrow(z)) {
        int8_t* const plane = planes.narrow_plane(z).data();
        CHECK(reinterpret_cast<uintptr_t>(plane) % 64 == 0);
        for (size_t i = 0; i < CoefficientPlanes::kSlackValues; ++i) plane[width + i] = 99;
      } else {
        int16_t* const plane = planes.plane(z).data();
        CHECK(reinterpret_cast<uintptr_t>(plane) % 64 == 0);
        for (size_t i = 0; i < CoefficientPlanes::kSlackValues; ++i) plane[width + i] = 9999;
      }
    }
    for (int z : {1, 3}) CheckFilled(planes, z);
    if (width < 100) {
      for (int z : {0, 2}) CheckFilled(planes, z);
    }
  }
}

TEST_CASE("Neighbouring planes are not pages apart", "[planes]") {
  // 4032 narrow values and slack are a page, 1984 wide ones too.
  CoefficientPlanes narrow;
  narrow.Reset({4032, 1}, FrequencySet(3), FrequencySet(3));
  CHECK((narrow.narrow_plane(1).data() - narrow.narrow_plane(0).data()) % 4096 != 0);
  CoefficientPlanes wide;
  wide.Reset({1984, 1}, FrequencySet(3));
  CHECK((wide.plane(1).data() - wide.plane(0).data()) * 2 % 4096 != 0);
}

TEST_CASE("Planes that are not kept are forgotten", "[planes]") {
  CoefficientPlanes planes;
  planes.Reset({5, 7}, kSome, kNarrow);
  Fill(planes);
  planes.Keep(FrequencySet(0b1001));
  CHECK(planes.frequencies() == FrequencySet(0b1001));
  CHECK(planes.IsNarrow(0));
  for (int z : {0, 3}) CheckFilled(planes, z);
  planes.Keep({});
  CHECK(planes.frequencies().empty());
}

TEST_CASE("Copies have the same values and memory of their own", "[planes]") {
  CoefficientPlanes planes;
  planes.Reset({5, 7}, kSome, kNarrow);
  Fill(planes);
  const CoefficientPlanes copy = planes;
  CoefficientPlanes assigned(BlockGrid{40, 40}, FrequencySet::All());
  assigned = planes;
  const CoefficientPlanes& self = assigned;
  assigned = self;
  for (int8_t& value : planes.narrow_plane(0)) value = 0;
  for (int16_t& value : planes.plane(3)) value = 0;
  for (const CoefficientPlanes* of : {&copy, &std::as_const(assigned)}) {
    CHECK(of->grid() == BlockGrid{5, 7});
    CHECK(of->frequencies() == kSome);
    CHECK(of->bytes() == planes.bytes());
    for (int z : {0, 2, 3}) CheckFilled(*of, z);
  }
  const CoefficientPlanes moved = std::move(assigned);
  for (int z : {0, 2, 3}) CheckFilled(moved, z);
  const CoefficientPlanes empty = CoefficientPlanes();
  const CoefficientPlanes copy_of_empty = empty;
  CHECK(copy_of_empty.bytes() == 0);
}

TEST_CASE("Reset takes another shape and keeps the memory", "[planes]") {
  CoefficientPlanes planes(BlockGrid{64, 64}, FrequencySet(1));
  const int16_t* const memory = planes.plane(0).data();
  planes.Reset({8, 8}, FrequencySet(1));
  CHECK(planes.plane(0).data() == memory);
  CHECK(planes.plane(0).size() == 64);
  planes.Reset({3, 3}, FrequencySet(1), FrequencySet(1));
  Fill(planes);
  CheckFilled(planes, 0);
}

TEST_CASE("Narrow planes take half the bytes", "[planes]") {
  CoefficientPlanes planes;
  planes.Reset({100, 100}, FrequencySet::All());
  const size_t wide_bytes = planes.bytes();
  CHECK(wide_bytes >= 64 * 2 * 10000);
  planes.Reset({100, 100}, FrequencySet::All(), FrequencySet::All());
  CHECK(planes.bytes() < wide_bytes * 51 / 100);
}

}  // namespace freqstore
