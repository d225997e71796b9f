// Any bytes through an import and out again: refused, or the same bytes from a segment. One file in 64 goes
// through every layout, the others through the fastest.
#include <string>
#include <vector>

#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "storage/engine/envelopes.h"
#include "storage/engine/image_encoder.h"
#include "storage/jpeg/jpeg_writer.h"
#include "storage/segment/image_table.h"
#include "storage/segment/segment_decoder.h"
#include "storage/segment/segment_reader.h"
#include "storage/segment/segment_writer.h"
#include "tests/fuzz/fuzz_check.h"

namespace freqstore {
namespace {

constexpr JpegLimits kLimits{
    .pixels_max = 1 << 14, .scans_max = 20, .markers_max = 200, .marker_bytes_max = 1 << 16};

/// The file of an image that has an envelope, from the columns of a segment.
std::string Rebuild(const EncodedSegment& segment, const std::vector<ImageRecord>& rows, size_t ordinal,
                    const std::string& envelope) {
  std::vector<ChunkView> chunks;
  for (const EncodedColumn& column : segment.columns) chunks.push_back({column.id, AsBytes(column.chunk)});
  const SegmentReader reader(rows, chunks);
  std::string file;
  const ImageRequest request{.ordinal = ordinal, .columns = ColumnSet::All()};
  SegmentDecoder().Decode(
      reader, {&request, 1}, [&](size_t, const absl::Status& status, std::vector<CoefficientPlanes>& planes) {
        FUZZ_CHECK(status.ok());
        const ImageRecord& row = rows[ordinal];
        auto written =
            WriteJpeg(AsBytes(envelope), row.geometry, planes, static_cast<size_t>(row.file_bytes));
        FUZZ_CHECK(written.ok());
        file = *std::move(written);
      });
  return file;
}

/// `images` as one segment, written and read.
void CheckSegment(const std::vector<EncodedImage>& images, Layout layout, const std::string& file) {
  std::vector<const PackedImage*> packed;
  std::vector<std::string> envelopes;
  for (const EncodedImage& image : images) {
    packed.push_back(&image.packed);
    const bool rebuilt = image.record().keep_reason == KeepReason::kNone;
    envelopes.push_back(rebuilt ? image.original : std::string());
  }
  const auto segment = EncodeSegment(packed, {.layout = layout});
  FUZZ_CHECK(segment.ok());
  const auto rows = DecodeImageTable(AsBytes(EncodeImageTable(segment->images)));
  FUZZ_CHECK(rows.ok() && *rows == segment->images);
  const auto opened = OpenEnvelopes(AsBytes(SealEnvelopes(envelopes)), images.size());
  FUZZ_CHECK(opened.ok());
  for (size_t i = 0; i < images.size(); ++i) {
    const bool rebuilt = (*rows)[i].keep_reason == KeepReason::kNone;
    FUZZ_CHECK((rebuilt ? Rebuild(*segment, *rows, i, (*opened)[i]) : images[i].original) == file);
  }
}

}  // namespace
}  // namespace freqstore

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace freqstore;
  const std::string file(AsString(Bytes(data, size)));
  const std::string sha256 = Sha256(AsBytes(file));
  std::vector<EncodedImage> images;
  for (const char* id : {"first", "second"}) {
    auto image = EncodeImage(id, sha256, file, kLimits);
    if (!image.ok()) {
      FUZZ_CHECK(!ReasonOf(image.status()).empty() && !MessageOf(image.status()).empty());
      return 0;
    }
    FUZZ_CHECK(image->record().file_bytes == size);
    images.push_back(*std::move(image));
  }
  CheckSegment(images, Layout::kFast, file);
  // To fit the weights of r32 takes a thousand times as long as the rest.
  if (static_cast<uint8_t>(sha256[0]) >= 4) return 0;
  CheckSegment(images, Layout::kBalanced, file);
  CheckSegment(images, Layout::kCompact, file);
  return 0;
}
