#include "storage/engine/columnizer.h"

#include <span>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/engine/delta.h"
#include "storage/engine/layout_commit.h"
#include "storage/engine/segment_builder.h"

namespace freqstore {
namespace {

std::vector<std::vector<size_t>> Partition(std::span<const DeltaEntry> entries, const SegmentTarget& target) {
  std::vector<const ImageRecord*> records;
  for (const DeltaEntry& entry : entries) records.push_back(&entry.record);
  return PartitionIntoSegments(records, target);
}

}  // namespace

absl::StatusOr<FlushResult> FlushDelta(KvStore& kv, Catalog& catalog, const DatasetView& view,
                                       const SegmentTarget& target) {
  const uint32_t dataset_id = view.meta.dataset_id();
  ASSIGN_OR_RETURN(const std::vector<DeltaEntry> entries, ListDelta(kv, dataset_id, view.snapshot.get()));
  FlushResult result;
  for (const std::vector<size_t>& segment : Partition(entries, target)) {
    std::vector<EncodedImage> images;
    KvBatch removal;
    for (const size_t index : segment) {
      const DeltaEntry& entry = entries[index];
      absl::StatusOr<EncodedImage> image = ReadDeltaImage(kv, dataset_id, entry, view.snapshot.get());
      if (const absl::Status status = image.status(); !status.ok()) {
        result.damaged.push_back(fmt::format("{}: {}", entry.record.image_id, MessageOf(status)));
        continue;
      }
      images.push_back(*std::move(image));
      RemoveDeltaRow(dataset_id, entry.row, removal);
    }
    if (images.empty()) continue;
    RETURN_IF_ERROR(CommitInDatasetLayout(kv, catalog, dataset_id, images, removal));
    result.images += images.size();
    ++result.segments;
  }
  return result;
}

}  // namespace freqstore
