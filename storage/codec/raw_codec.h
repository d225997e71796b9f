// The codec `raw`: int16 values as they are, little-endian. The baseline that the others are held against.
#pragma once

#include "storage/codec/run_codec.h"

namespace freqstore {

class RawCodec final : public RunCodec {
 public:
  void Encode(const SubstreamShape& shape, std::span<const ImageValues> images,
              std::string& out) const override;
  absl::Status LocateRuns(const SubstreamShape& shape, Bytes substream,
                          std::span<uint32_t> offsets) const override;
  bool IsNarrow(int frequency, const BlockGrid& grid, Bytes run) const override;
  absl::Status DecodeRun(int frequency, const BlockGrid& grid, Bytes run,
                         std::span<int16_t> out) const override;
  absl::Status DecodeNarrowRun(Bytes run, std::span<int8_t> out) const override;
};

}  // namespace freqstore
