#include "storage/engine/segment_images.h"

#include <utility>

#include "storage/base/status.h"

namespace freqstore {
namespace {

ColumnSet AllColumns(size_t components) {
  ColumnSet columns;
  for (size_t c = 0; c < components; ++c) columns.components[c] = FrequencySet::All();
  return columns;
}

}  // namespace

absl::StatusOr<std::vector<EncodedImage>> ReadSegmentImages(const DatasetSnapshot& snapshot,
                                                            const Part& segment) {
  ASSIGN_OR_RETURN(const ImageRows rows, snapshot.ReadRows(segment));
  ASSIGN_OR_RETURN(const auto loaded, snapshot.Load(segment, rows, AllColumns(kComponentsMax)));
  std::vector<EncodedImage> images;
  images.reserve(rows->size());
  for (uint32_t ordinal = 0; ordinal < rows->size(); ++ordinal) {
    const ImageRecord& record = (*rows)[ordinal];
    std::vector<CoefficientPlanes> components;
    const ColumnSet columns = AllColumns(record.geometry.components.size());
    absl::Status status = loaded->reader().DecodeImage(ordinal, columns, components);
    if (!status.ok()) return Annotate(status, record.image_id);
    absl::StatusOr<std::string> file = snapshot.ReadFile(segment, ordinal);
    if (!file.ok()) return Annotate(file.status(), record.image_id);
    images.push_back({PackImage(record, components), *std::move(file)});
  }
  return images;
}

}  // namespace freqstore
