// Any bytes as an image table, as a chunk, and as what is in one.
#include <algorithm>
#include <string>
#include <vector>

#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "storage/segment/chunk_format.h"
#include "storage/segment/image_table.h"
#include "storage/segment/segment_decoder.h"
#include "storage/segment/segment_reader.h"
#include "tests/fuzz/fuzz_check.h"
#include "tests/storage/segment/synthetic_images.h"

namespace freqstore {
namespace {

std::string WithChecksum(Bytes bytes) {
  std::string framed(AsString(bytes));
  AppendLittleEndian(framed, Checksum64(bytes));
  return framed;
}

const std::vector<ImageRecord>& Rows() {
  static const std::vector<ImageRecord> rows = [] {
    std::vector<ImageRecord> odd;
    for (testutil::SyntheticImage& image : testutil::MakeOddImages()) odd.push_back(std::move(image.record));
    return odd;
  }();
  return rows;
}

/// An r32 substream of no bytes is any number of zeros, which must fit into memory.
constexpr uint64_t kBlocksMax = 1 << 16;

bool IsTooLarge(const ImageRecord& row) {
  const auto& components = row.geometry.components;
  return std::any_of(components.begin(), components.end(),
                     [](const ComponentGeometry& component) { return component.grid.blocks() > kBlocksMax; });
}

/// What came of decoding a column of one image.
struct Outcome {
  std::string reason;
  std::vector<int16_t> values;  ///< of images that have the column
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Decodes a chunk's column of every image at a level. What is refused must be so for damage, or because the
/// column needs others.
std::vector<Outcome> DecodeChunk(const std::vector<ImageRecord>& rows, const ChunkView& view,
                                 SimdLevel level) {
  const SegmentReader reader(rows, {&view, 1}, level);
  ColumnSet columns;
  columns.Insert(view.id);
  const bool is_alone = reader.Close(columns) == columns;
  std::vector<ImageRequest> requests;
  for (size_t i = 0; i < rows.size(); ++i) requests.push_back({i, columns});
  std::vector<Outcome> outcomes(rows.size());
  SegmentDecoder(level).Decode(
      reader, requests,
      [&](size_t index, const absl::Status& status, std::vector<CoefficientPlanes>& planes) {
        FUZZ_CHECK(status.ok() || status.code() == absl::StatusCode::kDataLoss ||
                   (!is_alone && ReasonOf(status) == "MISSING_CHUNK"));
        outcomes[index].reason = ReasonOf(status);
        if (status.ok() && view.id.component < planes.size())
          outcomes[index].values = planes[view.id.component].Values(view.id.frequency);
      });
  return outcomes;
}

void CheckChunk(const std::vector<ImageRecord>& rows, Bytes bytes) {
  if (std::any_of(rows.begin(), rows.end(), IsTooLarge)) return;
  ColumnId id;
  if (const auto parsed = ParsedChunk::Parse(bytes); parsed.ok()) id = parsed->header().column;
  if (id.component >= kComponentsMax || id.frequency >= kFrequencies) id = {};
  const std::vector<Outcome> expected = DecodeChunk(rows, {id, bytes}, SimdLevel::kScalar);
  for (SimdLevel level : SupportedSimdLevels()) FUZZ_CHECK(DecodeChunk(rows, {id, bytes}, level) == expected);
}

/// A chunk around any head and two substreams, of lengths that the bytes say.
void CheckSubstreams(const std::vector<ImageRecord>& rows, CodecId codec, Bytes bytes) {
  ByteReader reader(bytes);
  const auto frequency = reader.ReadLittleEndian<uint8_t>();
  const auto head_bytes = reader.ReadLittleEndian<uint8_t>();
  const auto first_bytes = reader.ReadLittleEndian<uint16_t>();
  if (!frequency || !head_bytes || !first_bytes) return;
  ChunkContent content;
  if (codec == CodecId::kR32) {
    const auto head = reader.ReadBytes(std::min<size_t>(*head_bytes, reader.remaining()));
    content.head = AsString(head.value());
  }
  const auto bytes_left = static_cast<uint32_t>(reader.remaining());
  content.substreams = AsString(reader.rest());
  content.substream_ends = {std::min<uint32_t>(*first_bytes, bytes_left), bytes_left};
  ChunkHeader header{.column = {0, static_cast<uint16_t>(*frequency % kFrequencies)},
                     .codec = codec,
                     .images_per_substream = static_cast<uint32_t>(rows.size() + 1) / 2,
                     .images = static_cast<uint32_t>(rows.size())};
  for (const ImageRecord& row : rows) header.values += row.geometry.components[0].grid.blocks();
  CheckChunk(rows, AsBytes(BuildChunk(header, content)));
}

/// What decodes must encode and decode to the same.
std::vector<ImageRecord> CheckImageTable(Bytes bytes) {
  const auto rows = DecodeImageTable(bytes);
  if (!rows.ok()) {
    FUZZ_CHECK(rows.status().code() == absl::StatusCode::kDataLoss);
    return {};
  }
  const auto again = DecodeImageTable(AsBytes(EncodeImageTable(*rows)));
  FUZZ_CHECK(again.ok() && *again == *rows);
  return *rows;
}

}  // namespace
}  // namespace freqstore

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const bool is_table = data[0] % 2 == 0;
  const freqstore::Bytes bytes(data + 1, size - 1);
  const std::string framed = freqstore::WithChecksum(bytes);
  if (is_table) {
    freqstore::CheckImageTable(bytes);
    const std::vector<freqstore::ImageRecord> rows = freqstore::CheckImageTable(freqstore::AsBytes(framed));
    freqstore::CheckChunk(rows, bytes);
  } else {
    freqstore::CheckChunk(freqstore::Rows(), bytes);
    for (const freqstore::CodecId codec : {freqstore::CodecId::kBp32, freqstore::CodecId::kR32})
      freqstore::CheckSubstreams(freqstore::Rows(), codec, bytes);
  }
  return 0;
}
