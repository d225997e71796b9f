// The codec `bp32`: groups of 32 values, each packed at the width of its largest. FORMAT.md, "bp32".
#pragma once

#include "storage/base/cpu_features.h"
#include "storage/codec/bp32_kernels.h"
#include "storage/codec/run_codec.h"

namespace freqstore {

class Bp32Codec final : public RunCodec {
 public:
  /// `level` must be supported by this machine. All levels give the same bytes and values.
  explicit Bp32Codec(SimdLevel level) : kernels_(GetBp32Kernels(level)) {}

  void Encode(const SubstreamShape& shape, std::span<const ImageValues> images,
              std::string& out) const override;
  absl::Status LocateRuns(const SubstreamShape& shape, Bytes substream,
                          std::span<uint32_t> offsets) const override;
  bool IsNarrow(int frequency, const BlockGrid& grid, Bytes run) const override;
  absl::Status DecodeRun(int frequency, const BlockGrid& grid, Bytes run,
                         std::span<int16_t> out) const override;
  absl::Status DecodeNarrowRun(Bytes run, std::span<int8_t> out) const override;

 private:
  void EncodeRun(ImageValues values, std::string& out) const;

  const Bp32Kernels& kernels_;
};

}  // namespace freqstore
