#include "storage/codec/column_codec.h"

#include "fmt/format.h"
#include "storage/base/cpu_features.h"
#include "storage/base/status.h"
#include "storage/codec/bp32_codec.h"
#include "storage/codec/raw_codec.h"

namespace freqstore {

uint64_t SubstreamShape::values() const {
  uint64_t sum = 0;
  for (const BlockGrid& grid : grids) sum += grid.blocks();
  return sum;
}

absl::StatusOr<const ColumnCodec*> FindCodec(CodecId id) {
  static const RawCodec raw;
  static const Bp32Codec bp32(BestSimdLevel());
  switch (id) {
    case CodecId::kRaw:
      return &raw;
    case CodecId::kBp32:
      return &bp32;
    case CodecId::kR32:
      break;
  }
  return MakeError(
      absl::StatusCode::kDataLoss, "UNKNOWN_CODEC",
      fmt::format("no codec has the id {}: written by a newer version, or damaged", static_cast<int>(id)));
}

}  // namespace freqstore
