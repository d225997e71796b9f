// Values and columns made up by a random number generator.
#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "storage/attribute/attribute_value.h"

namespace freqstore::testutil {

inline constexpr AttributeType kTypes[] = {AttributeType::kString, AttributeType::kInteger,
                                           AttributeType::kDouble, AttributeType::kBool,
                                           AttributeType::kTimestamp};

class RandomValues {
 public:
  explicit RandomValues(uint64_t seed) : engine_(seed) {}

  /// Below `bound`.
  size_t Number(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(engine_); }
  bool OneIn(size_t chances) { return Number(chances) == 0; }

  /// One of few values, so that they meet again: also the least and the greatest there are.
  AttributeValue Value(AttributeType type) {
    switch (type) {
      case AttributeType::kString:
        return String();
      case AttributeType::kInteger:
        return Integer();
      case AttributeType::kDouble:
        return Double();
      case AttributeType::kBool:
        return OneIn(2);
      case AttributeType::kTimestamp:
        break;
    }
    return Timestamp{Integer()};
  }

  /// Values out of six at the most; absent one time in `absent_chances`, 0
  /// for never.
  std::vector<AttributeValue> Column(AttributeType type, size_t rows, size_t absent_chances) {
    std::vector<AttributeValue> pool(1 + Number(6));
    for (AttributeValue& value : pool) value = Value(type);
    std::vector<AttributeValue> column(rows);
    for (AttributeValue& value : column)
      if (absent_chances == 0 || !OneIn(absent_chances)) value = pool[Number(pool.size())];
    return column;
  }

 private:
  std::string String() {
    // Long ones share what a zone map keeps of them.
    const size_t shared_bytes = OneIn(3) ? 31 + Number(3) : 0;
    const char shared = OneIn(4) ? '\xff' : 'a';
    std::string text(shared_bytes, shared);
    for (size_t left = Number(4); left > 0; --left) text += "ab\xff"[Number(3)];
    return text;
  }

  int64_t Integer() {
    constexpr int64_t kOdd[] = {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::min() + 1,
                                std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::max() - 1};
    return OneIn(5) ? kOdd[Number(4)] : static_cast<int64_t>(Number(9)) - 4;
  }

  double Double() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kOdd[] = {-kInfinity, kInfinity, -0.0, std::numeric_limits<double>::denorm_min()};
    return OneIn(4) ? kOdd[Number(4)] : (static_cast<double>(Number(9)) - 4) / 4;
  }

  std::mt19937_64 engine_;
};

}  // namespace freqstore::testutil
