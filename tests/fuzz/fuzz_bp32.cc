// Any bytes as a run and as a substream of bp32: all implementations agree, and what decodes encodes and
// decodes again.
#include <algorithm>
#include <string>
#include <vector>

#include "storage/codec/bp32_codec.h"
#include "tests/fuzz/fuzz_check.h"

namespace freqstore {
namespace {

const std::vector<Bp32Codec>& Codecs() {
  static const std::vector<Bp32Codec> codecs = [] {
    std::vector<Bp32Codec> all;
    for (SimdLevel level : SupportedSimdLevels()) all.emplace_back(level);
    return all;
  }();
  return codecs;
}

void CheckRoundTrip(int frequency, BlockGrid grid, const std::vector<int16_t>& values) {
  std::string expected;
  for (const Bp32Codec& codec : Codecs()) {
    std::string run;
    const ImageValues images[] = {values};
    codec.Encode({.frequency = frequency, .grids = {&grid, 1}}, images, run);
    if (expected.empty()) expected = run;
    FUZZ_CHECK(run == expected);
    std::vector<int16_t> decoded(values.size());
    FUZZ_CHECK(codec.DecodeRun(frequency, grid, AsBytes(run), decoded).ok());
    FUZZ_CHECK(decoded == values);
  }
}

void CheckRun(int frequency, BlockGrid grid, Bytes run) {
  std::vector<int16_t> expected;
  for (const Bp32Codec& codec : Codecs()) {
    std::vector<int16_t> values(grid.blocks());
    const bool ok = codec.DecodeRun(frequency, grid, run, values).ok();
    if (&codec == &Codecs().front()) {
      if (ok) expected = values;
    } else {
      FUZZ_CHECK(ok == (expected.size() == values.size()));
    }
    if (ok) FUZZ_CHECK(values == expected);
  }
  if (!expected.empty()) CheckRoundTrip(frequency, grid, expected);
}

/// The bytes as a run, cut or filled up to the length that its widths promise: nearly all inputs then decode.
void CheckFittedRun(int frequency, BlockGrid grid, Bytes bytes) {
  const size_t groups = (grid.blocks() + kBp32GroupValues - 1) / kBp32GroupValues;
  const size_t width_bytes = (groups + 1) / 2;
  std::vector<uint8_t> run(bytes.begin(), bytes.end());
  run.resize(std::max(run.size(), width_bytes));
  if (groups % 2 != 0) run[width_bytes - 1] &= 15;
  run.resize(width_bytes + GetBp32Kernels(SimdLevel::kScalar).packed_bytes(run.data(), groups));
  CheckRun(frequency, grid, run);
}

void CheckSubstream(int frequency, BlockGrid grid, Bytes substream) {
  const std::vector<BlockGrid> grids = {grid, {0, 0}, {grid.height_blocks, 1}, grid};
  const SubstreamShape shape{.frequency = frequency, .grids = grids};
  std::vector<uint32_t> expected;
  for (const Bp32Codec& codec : Codecs()) {
    std::vector<uint32_t> offsets(grids.size() + 1);
    if (!codec.LocateRuns(shape, substream, offsets).ok()) offsets.clear();
    if (&codec == &Codecs().front()) expected = offsets;
    FUZZ_CHECK(offsets == expected);
  }
  for (size_t i = 0; i + 1 < expected.size(); ++i) {
    CheckRun(frequency, grids[i], substream.subspan(expected[i], expected[i + 1] - expected[i]));
  }
}

}  // namespace
}  // namespace freqstore

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  const freqstore::BlockGrid grid{1u + data[0], 1u + data[1] % 32};
  const int frequency = data[2] % 2;
  const freqstore::Bytes bytes(data + 3, size - 3);
  freqstore::CheckRun(frequency, grid, bytes);
  freqstore::CheckFittedRun(frequency, grid, bytes);
  freqstore::CheckSubstream(frequency, grid, bytes);
  return 0;
}
