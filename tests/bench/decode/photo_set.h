// The photos of the benchmark: as files, and as segments in memory.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "storage/codec/layout.h"
#include "storage/segment/packed_image.h"
#include "storage/segment/segment_reader.h"
#include "storage/segment/segment_writer.h"

namespace freqstore::bench {

struct Photo {
  std::string file;
  PackedImage packed;
};

/// The colour photos of a folder, by name. Throws std::runtime_error if there are none.
std::vector<Photo> LoadPhotos(const std::filesystem::path& folder);

/// A segment as the engine makes it.
struct PhotoSegment {
  EncodedSegment encoded;
  std::vector<size_t> photos;  ///< index of each image
  std::string image_table;

  uint64_t bytes() const;
  std::vector<ChunkView> Views(const ColumnSet& columns) const;
};

/// Partitions the photos as an import does.
std::vector<PhotoSegment> MakeSegments(std::span<const Photo> photos, Layout layout);

}  // namespace freqstore::bench
