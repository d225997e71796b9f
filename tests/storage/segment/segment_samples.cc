#include "tests/storage/segment/segment_samples.h"

#include <utility>

#include "storage/base/status.h"

namespace freqstore::testutil {

std::vector<SyntheticImage> MakeOddImages(size_t count) {
  const std::vector<SyntheticImage> odd = MakeOddImages();
  std::vector<SyntheticImage> images;
  for (size_t i = 0; i < count; ++i) images.push_back(odd[i % odd.size()]);
  return images;
}

EncodedSegment WriteSegment(const std::vector<SyntheticImage>& images, SegmentOptions options) {
  SegmentWriter writer(options);
  for (const SyntheticImage& image : images) writer.Add(PackImage(image.record, image.components));
  return writer.Finish().value();
}

std::vector<ChunkView> ViewsOf(const EncodedSegment& segment) {
  std::vector<ChunkView> views;
  for (const EncodedColumn& column : segment.columns) views.push_back({column.id, AsBytes(column.chunk)});
  return views;
}

ColumnSet AllColumns() {
  ColumnSet columns;
  columns.components.fill(FrequencySet::All());
  return columns;
}

bool Matches(const SyntheticImage& image, const ColumnSet& columns,
             const std::vector<CoefficientPlanes>& planes) {
  if (planes.size() != image.components.size()) return false;
  for (size_t c = 0; c < planes.size(); ++c) {
    if (planes[c].frequencies() != columns.components[c]) return false;
    if (planes[c].grid() != image.record.geometry.components[c].grid) return false;
    for (int z = 0; z < kFrequencies; ++z) {
      if (!columns.components[c].Contains(z)) continue;
      if (planes[c].Values(z) != image.components[c].Values(z)) return false;
    }
  }
  return true;
}

SampleSegment::SampleSegment(std::vector<SyntheticImage> made_of, SegmentOptions options)
    : images(std::move(made_of)), encoded(WriteSegment(images, options)), views(ViewsOf(encoded)) {}

std::vector<ImageRequest> SampleSegment::AllImages(const ColumnSet& columns) const {
  std::vector<ImageRequest> requests;
  for (size_t i = 0; i < images.size(); ++i) requests.push_back({i, columns});
  return requests;
}

std::vector<std::string> ReasonsOf(const SegmentReader& reader, const std::vector<ImageRequest>& requests) {
  std::vector<std::string> reasons(requests.size());
  SegmentDecoder(reader.level())
      .Decode(reader, requests,
              [&](size_t index, const absl::Status& status, std::vector<CoefficientPlanes>&) {
                reasons[index] += ReasonOf(status);  // so that two answers to a request are none
              });
  return reasons;
}

}  // namespace freqstore::testutil
