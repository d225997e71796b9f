#include "storage/engine/segment_images.h"

#include <utility>

#include "storage/base/status.h"
#include "storage/segment/segment_decoder.h"

namespace freqstore {

absl::Status ReadSegmentImages(const DatasetSnapshot& snapshot, const Part& segment, SegmentImages& out) {
  ASSIGN_OR_RETURN(const ImageRows rows, snapshot.ReadRows(segment));
  ASSIGN_OR_RETURN(const auto loaded, snapshot.Load(segment, rows, ColumnSet::All()));
  const std::vector<uint32_t> ordinals = segment.live().ToOrdinals();
  ASSIGN_OR_RETURN(std::vector<std::string> originals, snapshot.ReadOriginals(segment, rows, ordinals));
  std::vector<ImageRequest> requests;
  for (const uint32_t ordinal : ordinals) requests.push_back({ordinal, ColumnSet::All()});
  std::vector<EncodedImage> images(requests.size());
  absl::Status status;
  SegmentDecoder decoder;
  decoder.Decode(loaded->reader(), requests,
                 [&](size_t index, const absl::Status& decoded, std::vector<CoefficientPlanes>& planes) {
                   const ImageRecord& record = (*rows)[ordinals[index]];
                   status.Update(Annotate(decoded, record.image_id));
                   if (status.ok()) images[index].packed = PackImage(record, planes);
                 });
  RETURN_IF_ERROR(status);
  for (size_t i = 0; i < images.size(); ++i) {
    images[i].original = std::move(originals[ordinals[i]]);
    out.images.push_back(std::move(images[i]));
    out.sources.push_back({.segment_id = segment.segment->segment_id(), .ordinal = ordinals[i]});
  }
  return absl::OkStatus();
}

}  // namespace freqstore
