#include "storage/engine/deletion_log.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "storage/base/clock.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/segment_commit.h"

namespace freqstore {
namespace {

using storage::v1::DeletionRecord;

absl::StatusOr<std::vector<DeletionRecord>> Read(KvStore& kv, std::string prefix, const KvSnapshot* snapshot,
                                                 size_t records_max = std::numeric_limits<size_t>::max()) {
  std::vector<DeletionRecord> records;
  const auto cursor = kv.Scan(Family::kCatalog, std::move(prefix), snapshot);
  for (; cursor->Valid() && records.size() < records_max; cursor->Next()) {
    if (!records.emplace_back().ParseFromArray(cursor->value().data(),
                                               static_cast<int>(cursor->value().size())))
      return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CATALOG",
                       "cannot parse the record of a deletion");
  }
  RETURN_IF_ERROR(cursor->status());
  return records;
}

void PutPending(const DeletionRecord& record, DatasetTransaction& transaction) {
  transaction.batch().Put(Family::kCatalog,
                          keys::PendingDeletion(transaction.dataset_id(), record.deletion_id()),
                          record.SerializeAsString());
}

}  // namespace

absl::StatusOr<uint64_t> LogDeletion(KvStore& kv, std::string selection, uint64_t images,
                                     std::set<uint64_t> segments, DatasetTransaction& transaction) {
  ASSIGN_OR_RETURN(std::set<uint64_t> garbage,
                   GarbageSegments(kv, transaction.dataset_id(), transaction.view().snapshot.get()));
  segments.merge(garbage);
  DeletionRecord record;
  record.set_deletion_id(transaction.NextDeletion());
  record.set_delete_time_us(NowMicros());
  record.set_images(images);
  record.set_selection(std::move(selection));
  record.mutable_pending_segments()->Assign(segments.begin(), segments.end());
  PutPending(record, transaction);
  return record.deletion_id();
}

absl::StatusOr<std::set<uint64_t>> GarbageSegments(KvStore& kv, uint32_t dataset_id,
                                                   const KvSnapshot* snapshot) {
  std::set<uint64_t> segments;
  const auto cursor = kv.Scan(Family::kCatalog, keys::GarbagePrefix(dataset_id), snapshot);
  for (; cursor->Valid(); cursor->Next()) segments.insert(keys::GarbageSegmentOf(cursor->key()).value_or(0));
  RETURN_IF_ERROR(cursor->status());
  return segments;
}

absl::Status MoveDeletions(KvStore& kv, std::span<const ImageSource> sources, uint64_t made,
                           DatasetTransaction& transaction) {
  std::set<uint64_t> segments;
  bool from_delta = false;
  for (const ImageSource& source : sources) {
    segments.insert(source.segment_id);
    from_delta = from_delta || source.row != 0;
  }
  ASSIGN_OR_RETURN(std::vector<DeletionRecord> pending,
                   PendingDeletions(kv, transaction.dataset_id(), transaction.view().snapshot.get()));
  for (DeletionRecord& record : pending) {
    // Which deletions took rows of the delta is not noted: any may have.
    const bool may_be_here =
        from_delta || std::ranges::any_of(record.pending_segments(),
                                          [&](uint64_t segment) { return segments.contains(segment); });
    if (!may_be_here) continue;
    record.add_pending_segments(made);
    PutPending(record, transaction);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<DeletionRecord>> PendingDeletions(KvStore& kv, uint32_t dataset_id,
                                                             const KvSnapshot* snapshot) {
  return Read(kv, keys::PendingDeletionPrefix(dataset_id), snapshot);
}

absl::StatusOr<std::optional<DeletionRecord>> OldestPendingDeletion(KvStore& kv, uint32_t dataset_id) {
  ASSIGN_OR_RETURN(std::vector<DeletionRecord> first,
                   Read(kv, keys::PendingDeletionPrefix(dataset_id), nullptr, /*records_max=*/1));
  if (first.empty()) return std::nullopt;
  return std::move(first.front());
}

absl::StatusOr<std::vector<DeletionRecord>> PurgedDeletions(KvStore& kv, uint32_t dataset_id,
                                                            const KvSnapshot* snapshot) {
  return Read(kv, keys::PurgedDeletionPrefix(dataset_id), snapshot);
}

absl::Status NoteReclaimed(KvStore& kv, const std::set<uint64_t>& segments, DatasetTransaction& transaction) {
  for (const uint64_t segment : segments)
    transaction.batch().Delete(Family::kCatalog, keys::Garbage(transaction.dataset_id(), segment));
  ASSIGN_OR_RETURN(std::vector<DeletionRecord> pending,
                   PendingDeletions(kv, transaction.dataset_id(), transaction.view().snapshot.get()));
  for (DeletionRecord& record : pending) {
    std::vector<uint64_t> left;
    std::ranges::copy_if(record.pending_segments(), std::back_inserter(left),
                         [&](uint64_t segment) { return !segments.contains(segment); });
    if (std::cmp_equal(left.size(), record.pending_segments_size())) continue;
    record.mutable_pending_segments()->Assign(left.begin(), left.end());
    PutPending(record, transaction);
  }
  return absl::OkStatus();
}

absl::Status NotePurged(KvStore& kv, uint64_t through, DatasetTransaction& transaction) {
  const uint32_t dataset_id = transaction.dataset_id();
  ASSIGN_OR_RETURN(std::vector<DeletionRecord> pending,
                   PendingDeletions(kv, dataset_id, transaction.view().snapshot.get()));
  for (DeletionRecord& record : pending) {
    if (record.pending_segments_size() > 0 || record.deletion_id() > through) continue;
    record.set_purge_time_us(NowMicros());
    transaction.batch().Delete(Family::kCatalog, keys::PendingDeletion(dataset_id, record.deletion_id()));
    transaction.batch().Put(Family::kCatalog, keys::PurgedDeletion(dataset_id, record.deletion_id()),
                            record.SerializeAsString());
  }
  return absl::OkStatus();
}

}  // namespace freqstore
