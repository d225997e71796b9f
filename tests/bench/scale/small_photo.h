// Small JPEGs in any number, each unlike the others.
#pragma once

#include <cstdint>
#include <string>

namespace freqstore::bench {

/// A file of 64 x 64 pixels, 4:2:0, quality 80: two waves and a gradient, whose directions, colours and
/// phases follow from `number`.
std::string SmallPhoto(uint64_t number);

}  // namespace freqstore::bench
