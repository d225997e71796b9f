#include "storage/engine/compactor.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "storage/base/status.h"
#include "storage/catalog/stored_layout.h"
#include "storage/engine/dataset_snapshot.h"
#include "storage/engine/segment_commit.h"
#include "storage/engine/segment_errors.h"
#include "storage/engine/segment_images.h"

namespace freqstore {
namespace {

/// A segment that could be rewritten.
struct Candidate {
  uint64_t segment_id;
  double fill;  ///< what is left of it, as a share of a whole segment
  bool is_due;  ///< for its deleted images
  bool is_small;
};

double FillOf(const SegmentEntry& segment, const SegmentTarget& target) {
  const double images = segment.meta->images();
  const double live = (images - static_cast<double>(segment.state->deleted.count())) / images;
  return live * std::max(images / target.images, static_cast<double>(segment.meta->luma_blocks()) /
                                                     static_cast<double>(target.luma_blocks));
}

/// Likeness: segments that lie side by side in this order lose least by being joined.
auto LikenessOf(const SegmentEntry& segment) {
  const storage::v1::Cluster& cluster = segment.meta->cluster();
  return std::tuple(cluster.shorter_side_min(), cluster.quality_min(), segment.id());
}

/// Cuts candidates of one component layout, in the order of their likeness, into groups of at most one
/// segment.
void Group(const std::vector<Candidate>& candidates, const CompactionPolicy& policy,
           std::vector<CompactionGroup>& groups) {
  CompactionGroup group;
  double fill = 0;
  bool is_due = false;
  const auto finish = [&] {
    if (is_due || group.size() >= std::max<size_t>(2, policy.small_segments))
      groups.push_back(std::move(group));
    group.clear();
    fill = 0;
    is_due = false;
  };
  for (const Candidate& candidate : candidates) {
    if (!candidate.is_due && !candidate.is_small) continue;
    if (!group.empty() && fill + candidate.fill > 1) finish();
    group.push_back(candidate.segment_id);
    fill += candidate.fill;
    is_due = is_due || candidate.is_due;
  }
  finish();
}

absl::StatusOr<const Part*> FindPart(const DatasetSnapshot& snapshot, uint64_t segment_id) {
  for (const Part& part : snapshot.parts()) {
    if (!part.in_delta() && part.segment->segment_id() == segment_id) return &part;
  }
  return SegmentNotFound(segment_id);
}

uint64_t StoredBytes(const storage::v1::SegmentMeta& segment) {
  uint64_t bytes = ColumnBytes(segment) + segment.envelope_bytes();
  for (const storage::v1::KeptFiles& kept : segment.kept_files()) bytes += kept.bytes();
  return bytes;
}

}  // namespace

std::vector<CompactionGroup> ChooseCompactions(const DatasetView& view, const CompactionPolicy& policy) {
  std::vector<const SegmentEntry*> segments;
  for (const SegmentEntry& segment : *view.segments) {
    if (segment.state->quarantine.empty() && LayoutOf(*segment.meta) == LayoutOf(view.meta))
      segments.push_back(&segment);
  }
  std::ranges::sort(segments, {}, [](const SegmentEntry* segment) { return LikenessOf(*segment); });
  std::map<std::string, std::vector<Candidate>> layouts;
  for (const SegmentEntry* segment : segments) {
    const size_t deleted = segment->state->deleted.count();
    const double share = static_cast<double>(deleted) / segment->meta->images();
    const double fill = FillOf(*segment, policy.segment);
    layouts[segment->meta->component_layout().SerializeAsString()].push_back(
        {.segment_id = segment->id(),
         .fill = fill,
         .is_due = deleted > 0 && share >= policy.deleted_share,
         .is_small = fill * policy.segment.parts_min < 1});
  }
  std::vector<CompactionGroup> groups;
  for (const auto& [components, candidates] : layouts) Group(candidates, policy, groups);
  return groups;
}

absl::StatusOr<CompactionResult> Compact(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                         const CompactionGroup& group) {
  CompactionResult result;
  SegmentImages read;
  CompactionGroup empty;  // nothing is left of these
  {
    ASSIGN_OR_RETURN(DatasetView view, catalog.View(dataset_id));
    ASSIGN_OR_RETURN(const auto snapshot, DatasetSnapshot::Take(&kv, std::move(view)));
    for (const uint64_t segment_id : group) {
      ASSIGN_OR_RETURN(const Part* part, FindPart(*snapshot, segment_id));
      if (part->live_images() == 0) {
        empty.push_back(segment_id);
        continue;
      }
      RETURN_IF_ERROR(ReadSegmentImages(*snapshot, *part, read));
      result.bytes_read += StoredBytes(*part->segment);
    }
  }
  if (!empty.empty()) RETURN_IF_ERROR(RemoveSegments(catalog, dataset_id, empty));
  if (read.images.empty()) return result;
  std::vector<const ImageRecord*> records;
  for (const EncodedImage& image : read.images) records.push_back(&image.record());
  SegmentImages ordered;
  for (const size_t index : SegmentOrder(records)) {
    ordered.images.push_back(std::move(read.images[index]));
    ordered.sources.push_back(read.sources[index]);
  }
  RETURN_IF_ERROR(CommitInDatasetLayout(kv, catalog, dataset_id, ordered.images, ordered.sources));
  result.images = ordered.images.size();
  return result;
}

}  // namespace freqstore
