#include "storage/base/row_set.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("A set holds what is put into it") {
  RowSet set(130);
  CHECK(set.empty());
  for (const size_t row : {size_t{0}, size_t{63}, size_t{64}, size_t{129}}) set.Insert(row);
  CHECK(set.count() == 4);
  CHECK(set.ToOrdinals() == std::vector<uint32_t>{0, 63, 64, 129});
  set.Erase(64);
  CHECK_FALSE(set.Contains(64));
  CHECK(set.Complement().count() == 127);
  CHECK((set |= set.Complement()).full());
}

TEST_CASE("A full set has no rows past its end") {
  for (const size_t rows : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{128}}) {
    const RowSet all(rows, true);
    CHECK(all.count() == rows);
    CHECK(all.full());
    CHECK(all.Complement().empty());
  }
}

TEST_CASE("Sets are cut and subtracted") {
  RowSet a(70);
  RowSet b(70);
  for (size_t row = 0; row < 70; row += 2) a.Insert(row);
  for (size_t row = 0; row < 70; row += 3) b.Insert(row);
  RowSet both = a;
  CHECK((both &= b).count() == 12);
  CHECK((a -= b).count() == 35 - 12);
}

TEST_CASE("A set comes back from its bytes, and only from its own") {
  RowSet set(77);
  set.Insert(3);
  set.Insert(76);
  const std::string bytes = set.Encode();
  CHECK(bytes.size() == 10);
  CHECK(RowSet::Decode(AsBytes(bytes), 77) == set);
  CHECK(RowSet::Decode({}, 77) == RowSet(77));
  CHECK_FALSE(RowSet::Decode(AsBytes(bytes), 80 + 1));
  CHECK_FALSE(RowSet::Decode(AsBytes(bytes), 76));
}

}  // namespace
}  // namespace freqstore
