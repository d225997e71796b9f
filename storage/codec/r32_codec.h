// The codec `r32`: 32-lane rANS whose contexts come from lower frequencies. FORMAT.md, "r32".
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "storage/base/cpu_features.h"
#include "storage/codec/column_codec.h"

namespace freqstore {

class R32Codec final : public ColumnCodec {
 public:
  /// `level` must be supported by this machine. All levels give the same values.
  explicit R32Codec(SimdLevel level) : level_(level) {}

  CodecId id() const override { return CodecId::kR32; }
  std::string_view name() const override { return "r32"; }
  absl::StatusOr<std::unique_ptr<const ColumnDecoder>> Open(const ColumnData& data) const override;

 private:
  const SimdLevel level_;
};

}  // namespace freqstore
