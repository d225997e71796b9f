#include "tests/bench/decode/photo_set.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "storage/engine/cluster.h"
#include "storage/jpeg/jpeg_reader.h"
#include "storage/segment/image_table.h"
#include "tests/bench/turbo_decoder.h"

namespace freqstore::bench {

std::vector<Photo> LoadPhotos(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Photo> photos;
  for (const std::filesystem::path& path : paths) {
    Photo photo;
    photo.file = ReadWholeFile(path.string());
    absl::StatusOr<JpegImage> image = ReadJpeg(AsBytes(photo.file), {});
    if (!image.ok() || image->components.size() != 3) continue;
    ImageRecord record;
    record.image_id = path.filename().string();
    record.geometry = std::move(image->geometry);
    record.quality = image->quality;
    record.file_bytes = photo.file.size();
    photo.packed = PackImage(std::move(record), image->components);
    photos.push_back(std::move(photo));
  }
  if (photos.empty()) throw std::runtime_error("no colour photos in " + folder.string());
  return photos;
}

uint64_t PhotoSegment::bytes() const {
  uint64_t sum = image_table.size();
  for (const EncodedColumn& column : encoded.columns) sum += column.chunk.size();
  return sum;
}

std::vector<ChunkView> PhotoSegment::Views(const ColumnSet& columns) const {
  std::vector<ChunkView> views;
  for (const EncodedColumn& column : encoded.columns) {
    if (columns.Contains(column.id)) views.push_back({column.id, AsBytes(column.chunk)});
  }
  return views;
}

std::vector<PhotoSegment> MakeSegments(std::span<const Photo> photos, Layout layout) {
  std::vector<const ImageRecord*> records;
  for (const Photo& photo : photos) records.push_back(&photo.packed.record);
  std::vector<PhotoSegment> segments;
  for (std::vector<size_t>& members : PartitionIntoSegments(records, {})) {
    SegmentWriter writer({.layout = layout});
    for (size_t member : members) writer.Add(photos[member].packed);
    PhotoSegment segment;
    segment.encoded = writer.Finish().value();
    segment.image_table = EncodeImageTable(segment.encoded.images);
    segment.photos = std::move(members);
    segments.push_back(std::move(segment));
  }
  return segments;
}

}  // namespace freqstore::bench
