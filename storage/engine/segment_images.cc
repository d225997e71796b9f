#include "storage/engine/segment_images.h"

#include <numeric>
#include <utility>

#include "storage/base/status.h"
#include "storage/segment/segment_decoder.h"

namespace freqstore {

absl::StatusOr<std::vector<EncodedImage>> ReadSegmentImages(const DatasetSnapshot& snapshot,
                                                            const Part& segment) {
  ASSIGN_OR_RETURN(const ImageRows rows, snapshot.ReadRows(segment));
  ASSIGN_OR_RETURN(const auto loaded, snapshot.Load(segment, rows, ColumnSet::All()));
  std::vector<EncodedImage> images(rows->size());
  std::vector<ImageRequest> requests;
  for (size_t ordinal = 0; ordinal < rows->size(); ++ordinal) requests.push_back({ordinal, ColumnSet::All()});
  absl::Status status;
  SegmentDecoder decoder;
  decoder.Decode(loaded->reader(), requests,
                 [&](size_t ordinal, const absl::Status& decoded, std::vector<CoefficientPlanes>& planes) {
                   const ImageRecord& record = (*rows)[ordinal];
                   status.Update(Annotate(decoded, record.image_id));
                   if (status.ok()) images[ordinal].packed = PackImage(record, planes);
                 });
  RETURN_IF_ERROR(status);
  std::vector<uint32_t> ordinals(rows->size());
  std::iota(ordinals.begin(), ordinals.end(), 0U);
  ASSIGN_OR_RETURN(std::vector<std::string> originals, snapshot.ReadOriginals(segment, rows, ordinals));
  for (size_t i = 0; i < images.size(); ++i) images[i].original = std::move(originals[i]);
  return images;
}

}  // namespace freqstore
