#include "storage/engine/columnizer.h"

#include <map>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/engine/delta.h"

namespace freqstore {
namespace {

/// The entries of one segment to be.
using Batch = std::vector<DeltaEntry>;

std::vector<Batch> Group(std::vector<DeltaEntry> entries, const SegmentTarget& target) {
  std::map<std::string, std::pair<Batch, uint64_t>> open;
  std::vector<Batch> batches;
  for (DeltaEntry& entry : entries) {
    const ImageGeometry& geometry = entry.record.geometry;
    auto& [batch, luma_blocks] = open[ComponentLayoutOf(geometry).SerializeAsString()];
    luma_blocks += geometry.components.front().grid.blocks();
    batch.push_back(std::move(entry));
    if (batch.size() >= target.images || luma_blocks >= target.luma_blocks) {
      batches.push_back(std::exchange(batch, {}));
      luma_blocks = 0;
    }
  }
  for (auto& [layout, group] : open) {
    if (!group.first.empty()) batches.push_back(std::move(group.first));
  }
  return batches;
}

}  // namespace

absl::StatusOr<FlushResult> FlushDelta(KvStore& kv, Catalog& catalog, const DatasetView& view,
                                       const SegmentTarget& target) {
  const uint32_t dataset_id = view.meta.dataset_id();
  ASSIGN_OR_RETURN(std::vector<DeltaEntry> entries, ListDelta(kv, dataset_id, view.snapshot.get()));
  FlushResult result;
  for (const Batch& batch : Group(std::move(entries), target)) {
    std::vector<EncodedImage> images;
    KvBatch removal;
    for (const DeltaEntry& entry : batch) {
      absl::StatusOr<EncodedImage> image = ReadDeltaImage(kv, dataset_id, entry, view.snapshot.get());
      // Tried alone first: a damaged row must not cost its neighbours.
      if (absl::Status status = image.ok() ? DecodeEncodedImage(*image).status() : image.status();
          !status.ok()) {
        result.damaged.push_back(fmt::format("{}: {}", entry.record.image_id, MessageOf(status)));
        continue;
      }
      images.push_back(*std::move(image));
      RemoveDeltaRow(dataset_id, entry.row, removal);
    }
    if (images.empty()) continue;
    RETURN_IF_ERROR(CommitSegment(kv, catalog, dataset_id, images, std::move(removal)));
    result.images += images.size();
    ++result.segments;
  }
  return result;
}

}  // namespace freqstore
