// Any bytes as an image table and as a chunk, also with a checksum that agrees with them.
#include <string>
#include <vector>

#include "storage/base/hash.h"
#include "storage/segment/chunk_format.h"
#include "storage/segment/image_table.h"
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

/// Decodes the chunk's column of every image; what is refused must be so for damage.
void CheckChunk(const std::vector<ImageRecord>& rows, Bytes bytes) {
  ColumnId id;
  if (const auto parsed = ParseChunk(bytes); parsed.ok()) id = parsed->header.column;
  if (id.component >= kComponentsMax || id.frequency >= kFrequencies) id = {};
  ColumnSet columns;
  columns.Insert(id);
  const ChunkView view{id, bytes};
  const SegmentReader reader(rows, {&view, 1});
  std::vector<CoefficientPlanes> planes;
  for (size_t i = 0; i < rows.size(); ++i) {
    const absl::Status status = reader.DecodeImage(i, columns, planes);
    FUZZ_CHECK(status.ok() || status.code() == absl::StatusCode::kDataLoss);
  }
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
    freqstore::CheckChunk(freqstore::Rows(), freqstore::AsBytes(framed));
  }
  return 0;
}
