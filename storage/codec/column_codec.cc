#include "storage/codec/column_codec.h"

#include "fmt/format.h"
#include "storage/base/cpu_features.h"
#include "storage/base/status.h"
#include "storage/codec/bp32_codec.h"
#include "storage/codec/r32_codec.h"
#include "storage/codec/raw_codec.h"
#include "storage/codec/run_column.h"

namespace freqstore {
namespace {

/// The codecs at one level.
struct Codecs {
  explicit Codecs(SimdLevel level) : bp32_runs(level), r32(level) {}

  RawCodec raw_runs;
  Bp32Codec bp32_runs;
  RunColumnCodec raw{CodecId::kRaw, "raw", &raw_runs};
  RunColumnCodec bp32{CodecId::kBp32, "bp32", &bp32_runs};
  R32Codec r32;
};

const Codecs& CodecsFor(SimdLevel level) {
  switch (level) {
    case SimdLevel::kScalar: {
      static const Codecs scalar(SimdLevel::kScalar);
      return scalar;
    }
    case SimdLevel::kAvx2: {
      static const Codecs avx2(SimdLevel::kAvx2);
      return avx2;
    }
    case SimdLevel::kAvx512:
      break;
  }
  static const Codecs avx512(SimdLevel::kAvx512);
  return avx512;
}

}  // namespace

absl::StatusOr<const ColumnCodec*> FindCodec(CodecId id) {
  return FindCodec(id, BestSimdLevel());
}

absl::StatusOr<const ColumnCodec*> FindCodec(CodecId id, SimdLevel level) {
  const Codecs& codecs = CodecsFor(level);
  switch (id) {
    case CodecId::kRaw:
      return &codecs.raw;
    case CodecId::kBp32:
      return &codecs.bp32;
    case CodecId::kR32:
      return &codecs.r32;
  }
  return MakeError(
      absl::StatusCode::kDataLoss, "UNKNOWN_CODEC",
      fmt::format("no codec has the id {}: written by a newer version, or damaged", static_cast<int>(id)));
}

}  // namespace freqstore
