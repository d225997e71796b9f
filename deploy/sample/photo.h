// One labelled photo of the sample.
#pragma once

#include <cstdint>
#include <string>

namespace freqstore::sample {

struct Photo {
  int class_index = 0;  ///< into kClassNames
  std::string jpeg;     ///< the file's bytes
};

/// The photo number `index` of the sample `seed`; always the same. Classes take turns.
Photo MakePhoto(uint64_t seed, uint32_t index);

}  // namespace freqstore::sample
