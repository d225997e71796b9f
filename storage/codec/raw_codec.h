// The codec `raw`: int16 values as they are, little-endian. The baseline that the others are held against.
#pragma once

#include "storage/codec/column_codec.h"

namespace freqstore {

class RawCodec final : public ColumnCodec {
 public:
  CodecId id() const override { return CodecId::kRaw; }
  std::string_view name() const override { return "raw"; }
  void Encode(const SubstreamShape& shape, std::span<const ImageValues> images,
              std::string& out) const override;
  absl::Status LocateRuns(const SubstreamShape& shape, Bytes substream,
                          std::span<uint32_t> offsets) const override;
  absl::Status DecodeRun(int frequency, const BlockGrid& grid, Bytes run,
                         std::span<int16_t> out) const override;
};

}  // namespace freqstore
