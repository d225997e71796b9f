// The codec `raw`: int16 values as they are, little-endian. The baseline that the others are held against.
#pragma once

#include "storage/codec/run_codec.h"

namespace freqstore {

class RawCodec final : public RunCodec {
 public:
  /// Runs are never narrow.
  bool EncodeRun(int frequency, const BlockGrid& grid, std::span<const int16_t> values,
                 std::string& out) const override;
  absl::Status DecodeRun(int frequency, const BlockGrid& grid, Bytes run,
                         std::span<int16_t> out) const override;
  absl::Status DecodeNarrowRun(Bytes run, std::span<int8_t> out) const override;
  uint64_t BytesMin(uint64_t values) const override;
};

}  // namespace freqstore
