// r32: any bytes as a head and a substream, any substream below a good head, and any images as a segment. All
// implementations agree, and what is encoded decodes.
#include <algorithm>
#include <string>
#include <vector>

#include "storage/base/status.h"
#include "storage/segment/segment_decoder.h"
#include "storage/segment/segment_writer.h"
#include "tests/fuzz/byte_source.h"
#include "tests/fuzz/fuzz_check.h"
#include "tests/storage/codec/r32_random_model.h"
#include "tests/storage/codec/r32_workbench.h"

namespace freqstore {
namespace {

// ------------------------------------------------------------------------------------------- substreams

ColumnId MakeColumn(ByteSource& source) {
  return {static_cast<uint8_t>(source.Byte() % 3), static_cast<uint16_t>(source.Byte() % kFrequencies)};
}

/// A few small images, of which some have no blocks.
std::vector<BlockGrid> MakeGrids(ByteSource& source) {
  std::vector<BlockGrid> grids(1 + source.Byte() % 5);
  for (BlockGrid& grid : grids) {
    const uint8_t width = source.Byte();
    if (width % 8 != 0) grid = {1u + width / 4, 1u + source.Byte() % 32};
  }
  return grids;
}

void CheckPayload(const testutil::R32Workbench& bench, Bytes payload, size_t head_bytes) {
  absl::StatusOr<testutil::ColumnValues> expected;
  testutil::DecodeStage expected_stage{};
  for (SimdLevel level : SupportedSimdLevels()) {
    testutil::DecodeStage stage{};
    const auto values = bench.Decode(level, payload, head_bytes, stage);
    FUZZ_CHECK(values.ok() || ReasonOf(values.status()) == "CORRUPT_CHUNK");
    if (level == SimdLevel::kScalar) {
      expected = values;
      expected_stage = stage;
    }
    FUZZ_CHECK(values.status() == expected.status() && stage == expected_stage);
    if (values.ok()) FUZZ_CHECK(*values == *expected);
  }
}

void CheckBytes(ByteSource source) {
  const ColumnId id = MakeColumn(source);
  const testutil::R32Workbench bench(id, MakeGrids(source));
  const size_t head_bytes = std::min<size_t>(source.Byte(), source.rest().size());
  // A copy of its own, so that the sanitizer sees where it ends.
  const std::vector<uint8_t> payload(source.rest().begin(), source.rest().end());
  CheckPayload(bench, payload, head_bytes);
}

constexpr size_t kWordsMax = 2048;

void CheckBelowGoodHead(ByteSource source) {
  const ColumnId id = MakeColumn(source);
  const testutil::R32Workbench bench(id, MakeGrids(source));
  const size_t tokens = id.frequency == 0 ? kR32TokensMax : 2u + source.Byte() % (kR32TokensMax - 1);
  R32Model model = testutil::RandomR32Model(id, tokens, source);
  testutil::ThinR32Tables(model, source);
  const std::string head = SerializeR32Model(model);
  std::vector<uint8_t> payload(head.begin(), head.end());
  // States in range, and whole words: most inputs then decode to the end.
  const size_t words = 2 * kR32Lanes + source() % kWordsMax;
  for (size_t i = 0; i < sizeof(uint16_t) * words; ++i) payload.push_back(source.Byte());
  for (size_t i = 0; i < kR32Lanes; ++i) payload[head.size() + 4 * i + 3] |= 1;
  CheckPayload(bench, payload, head.size());
}

// --------------------------------------------------------------------------------------------- segments

constexpr uint32_t kPixelsMax = 72;

ImageGeometry MakeGeometry(ByteSource& source) {
  ImageGeometry geometry;
  geometry.width = 1 + source.Byte() % kPixelsMax;
  geometry.height = 1 + source.Byte() % kPixelsMax;
  const uint8_t kind = source.Byte();
  geometry.color = kind % 4 == 0 ? ColorModel::kGrayscale : ColorModel::kYCbCr;
  geometry.components.resize(kind % 4 == 0 ? 1 : 3);
  for (size_t c = 0; c < geometry.components.size(); ++c) {
    ComponentGeometry& component = geometry.components[c];
    const bool is_subsampled = c > 0 && kind % 4 != 1;
    component.h_samp = is_subsampled ? 1 : 2;
    component.v_samp = is_subsampled && kind % 4 == 2 ? 1 : 2;
    component.quant.fill(1);
  }
  for (ComponentGeometry& component : geometry.components) component.grid = ExpectedGrid(geometry, component);
  return geometry;
}

/// Values from `pool`, which is not empty: a byte says how rare they are, another how small.
void FillComponent(ByteSource& source, Bytes pool, CoefficientPlanes& planes) {
  const uint8_t zeros = source.Byte();
  const uint8_t shift = source.Byte() % 16;
  size_t at = source.Byte();
  for (int z = 0; z < kFrequencies; ++z) {
    for (int16_t& value : planes.plane(z)) {
      at += 1 + static_cast<size_t>(z);
      const uint32_t mixed = (pool[at % pool.size()] + static_cast<uint32_t>(at / pool.size())) * 40503u;
      const bool is_zero = (mixed >> 8 & 0xff) < zeros * static_cast<uint32_t>(z) / 32;
      value = is_zero ? int16_t{0} : static_cast<int16_t>(static_cast<int16_t>(mixed) >> shift);
    }
  }
}

using Components = std::vector<CoefficientPlanes>;

void CheckDecodes(const EncodedSegment& segment, SimdLevel level, const std::vector<Components>& expected) {
  std::vector<ChunkView> chunks;
  for (const EncodedColumn& column : segment.columns) chunks.push_back({column.id, AsBytes(column.chunk)});
  const SegmentReader reader(segment.images, chunks, level);
  std::vector<ImageRequest> requests(expected.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    requests[i].ordinal = i;
    requests[i].columns.components.fill(FrequencySet::All());
  }
  size_t consumed = 0;
  SegmentDecoder(level).Decode(reader, requests,
                               [&](size_t index, const absl::Status& status, Components& components) {
                                 FUZZ_CHECK(status.ok() && components.size() == expected[index].size());
                                 for (size_t c = 0; c < components.size(); ++c) {
                                   for (int z = 0; z < kFrequencies; ++z)
                                     FUZZ_CHECK(components[c].Values(z) == expected[index][c].Values(z));
                                 }
                                 ++consumed;
                               });
  FUZZ_CHECK(consumed == expected.size());
}

void CheckSegment(ByteSource source) {
  const uint8_t options = source.Byte();
  SegmentWriter writer({options % 4 == 0 ? Layout::kBalanced : Layout::kCompact, 1u + options / 4 % 4});
  std::vector<Components> images(1 + source.Byte() % 6);
  const Bytes pool = source.rest();
  if (pool.empty()) return;
  for (Components& components : images) {
    ImageRecord record;
    record.geometry = MakeGeometry(source);
    for (const ComponentGeometry& component : record.geometry.components)
      FillComponent(source, pool, components.emplace_back(component.grid, FrequencySet::All()));
    writer.Add(PackImage(std::move(record), components));
  }
  const auto segment = writer.Finish();
  FUZZ_CHECK(segment.ok());
  for (SimdLevel level : SupportedSimdLevels()) CheckDecodes(*segment, level, images);
}

}  // namespace
}  // namespace freqstore

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const freqstore::ByteSource source(freqstore::Bytes(data + 1, size - 1));
  switch (data[0] % 16) {
    case 0:
      freqstore::CheckSegment(source);  // takes a hundred times as long as the others
      break;
    case 1:
    case 2:
    case 3:
      freqstore::CheckBytes(source);
      break;
    default:
      freqstore::CheckBelowGoodHead(source);
      break;
  }
  return 0;
}
