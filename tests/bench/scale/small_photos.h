// Small JPEGs in any number, each unlike the others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace freqstore::bench {

/// Makes files of 64 x 64 pixels, 4:2:0, quality 80. Not thread-safe.
class SmallPhotos {
 public:
  /// Two waves and a gradient, whose directions, colours and phases follow from `number`.
  std::string Make(uint64_t number);

 private:
  std::vector<uint8_t> pixels_;
};

}  // namespace freqstore::bench
