#include "storage/engine/columnizer.h"

#include <span>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/engine/delta.h"
#include "storage/engine/segment_commit.h"

namespace freqstore {
namespace {

/// Rows looked at together: they share segments where they are alike. Their records are in memory.
constexpr size_t kPassRows = 4096;

std::vector<std::vector<size_t>> Partition(std::span<const DeltaEntry> entries, const SegmentTarget& target) {
  std::vector<const ImageRecord*> records;
  for (const DeltaEntry& entry : entries) records.push_back(&entry.record);
  return PartitionIntoSegments(records, target);
}

/// Moves some rows; those that cannot be read are passed over.
absl::Status FlushRows(KvStore& kv, Catalog& catalog, const DatasetView& view,
                       std::span<const DeltaEntry> entries, const SegmentTarget& target,
                       FlushResult& result) {
  const uint32_t dataset_id = view.meta.dataset_id();
  for (const std::vector<size_t>& segment : Partition(entries, target)) {
    std::vector<EncodedImage> images;
    std::vector<ImageSource> sources;
    for (const size_t index : segment) {
      const DeltaEntry& entry = entries[index];
      absl::StatusOr<EncodedImage> image = ReadDeltaImage(kv, dataset_id, entry, view.snapshot.get());
      if (const absl::Status status = image.status(); !status.ok()) {
        result.damaged.push_back(fmt::format("{}: {}", entry.record.image_id, MessageOf(status)));
        continue;
      }
      images.push_back(*std::move(image));
      sources.push_back({.row = entry.row});
    }
    if (images.empty()) continue;
    RETURN_IF_ERROR(CommitInDatasetLayout(kv, catalog, dataset_id, images, sources));
    result.images += images.size();
    ++result.segments;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FlushResult> FlushDelta(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                       const SegmentTarget& target) {
  FlushResult result;
  uint64_t first_row = 0;
  while (true) {
    ASSIGN_OR_RETURN(const DatasetView view, catalog.View(dataset_id));
    ASSIGN_OR_RETURN(const std::vector<DeltaEntry> entries,
                     ListDelta(kv, dataset_id, view.snapshot.get(), first_row, kPassRows));
    if (entries.empty()) return result;
    RETURN_IF_ERROR(FlushRows(kv, catalog, view, entries, target, result));
    first_row = entries.back().row + 1;
  }
}

}  // namespace freqstore
