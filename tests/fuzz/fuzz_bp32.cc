// Any bytes as a run and as a substream of bp32: all implementations agree, and what decodes encodes and
// decodes again.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/codec/bp32_codec.h"
#include "storage/codec/column_codec.h"
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
  bool expected_narrow = false;
  for (const Bp32Codec& codec : Codecs()) {
    std::string run;
    const bool is_narrow = codec.EncodeRun(frequency, grid, values, run);
    if (&codec == &Codecs().front()) {
      expected = run;
      expected_narrow = is_narrow;
    }
    FUZZ_CHECK(run == expected && is_narrow == expected_narrow);
    std::vector<int16_t> decoded(values.size());
    FUZZ_CHECK(codec.DecodeRun(frequency, grid, AsBytes(run), decoded).ok());
    FUZZ_CHECK(decoded == values);
    std::vector<int8_t> narrow(values.size());
    if (!is_narrow) continue;
    FUZZ_CHECK(codec.DecodeNarrowRun(AsBytes(run), narrow).ok());
    FUZZ_CHECK(std::equal(values.begin(), values.end(), narrow.begin()));
  }
}

/// Whether all levels take the run, and give the same values.
template <typename Value, typename Decode>
std::optional<std::vector<Value>> DecodeAll(size_t blocks, Decode decode) {
  std::optional<std::vector<Value>> expected;
  for (const Bp32Codec& codec : Codecs()) {
    std::vector<Value> values(blocks);
    const bool ok = decode(codec, std::span<Value>(values)).ok();
    if (&codec == &Codecs().front()) {
      if (ok) expected = values;
    } else {
      FUZZ_CHECK(ok == expected.has_value());
      if (ok) FUZZ_CHECK(values == *expected);
    }
  }
  return expected;
}

void CheckRun(int frequency, BlockGrid grid, Bytes run) {
  const auto values = DecodeAll<int16_t>(grid.blocks(), [&](const Bp32Codec& codec, std::span<int16_t> out) {
    return codec.DecodeRun(frequency, grid, run, out);
  });
  const auto narrow = DecodeAll<int8_t>(grid.blocks(), [&](const Bp32Codec& codec, std::span<int8_t> out) {
    return codec.DecodeNarrowRun(run, out);
  });
  if (narrow && frequency != 0)
    FUZZ_CHECK(values && std::equal(narrow->begin(), narrow->end(), values->begin()));
  if (values) CheckRoundTrip(frequency, grid, *values);
}

/// The bytes as a run, cut or filled up to the length that its widths and counts promise: nearly all inputs
/// then decode.
void CheckFittedRun(int frequency, BlockGrid grid, Bytes bytes) {
  const size_t groups = (grid.blocks() + kBp32GroupValues - 1) / kBp32GroupValues;
  const size_t width_bytes = (groups + 1) / 2;
  const size_t count_bytes = (groups + 3) / 4;
  std::vector<uint8_t> run(bytes.begin(), bytes.end());
  run.resize(std::max(run.size(), width_bytes + count_bytes));
  if (groups % 2 != 0) run[width_bytes - 1] &= 15;
  if (groups % 4 != 0)
    run[width_bytes + count_bytes - 1] &= static_cast<uint8_t>((1u << (2 * (groups % 4))) - 1);
  const Bp32Lengths lengths =
      GetBp32Kernels(SimdLevel::kScalar).lengths(run.data(), run.data() + width_bytes, groups);
  run.resize(width_bytes + count_bytes + lengths.packed_bytes + lengths.exceptions);
  CheckRun(frequency, grid, run);
}

void CheckSubstream(int frequency, BlockGrid grid, Bytes substream) {
  const std::vector<BlockGrid> grids = {grid, {0, 0}, {grid.height_blocks, 1}, grid};
  for (SimdLevel level : SupportedSimdLevels()) {
    const auto decoder =
        (*FindCodec(CodecId::kBp32, level))
            ->Open({.id = {0, static_cast<uint16_t>(frequency)}, .grids = grids, .head = {}});
    FUZZ_CHECK(decoder.ok());
    ColumnCursor cursor;
    if (!(*decoder)->StartSubstream(substream, 0, grids.size(), cursor).ok()) return;
    for (size_t i = 0; i < grids.size(); ++i) CheckRun(frequency, grids[i], cursor.runs[i].bytes);
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
