// The codec `bp32`: groups of 32 values, each packed at the width of nearly all of them. FORMAT.md, "bp32".
#pragma once

#include "storage/base/cpu_features.h"
#include "storage/codec/bp32_kernels.h"
#include "storage/codec/run_codec.h"

namespace freqstore {

class Bp32Codec final : public RunCodec {
 public:
  /// `level` must be supported by this machine. All levels give the same bytes and values.
  explicit Bp32Codec(SimdLevel level) : kernels_(GetBp32Kernels(level)) {}

  bool EncodeRun(int frequency, const BlockGrid& grid, std::span<const int16_t> values,
                 std::string& out) const override;
  absl::Status DecodeRun(int frequency, const BlockGrid& grid, Bytes run,
                         std::span<int16_t> out) const override;
  absl::Status DecodeNarrowRun(Bytes run, std::span<int8_t> out) const override;
  uint64_t BytesMin(uint64_t values) const override;

 private:
  const Bp32Kernels& kernels_;
};

}  // namespace freqstore
