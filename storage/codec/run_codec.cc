#include "storage/codec/run_codec.h"

namespace freqstore {

uint64_t SubstreamShape::values() const {
  uint64_t sum = 0;
  for (const BlockGrid& grid : grids) sum += grid.blocks();
  return sum;
}

}  // namespace freqstore
