// What was deleted when, and when the last byte of it had gone: people have to prove it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/catalog/dataset_transaction.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

struct ImageSource;

/// Adds the record of a deletion to `transaction` and gives its number. `selection` is for people.
/// Garbage of now counts as what may hold the images, since it may be of what their segments were made of.
absl::StatusOr<uint64_t> LogDeletion(KvStore& kv, std::string selection, uint64_t images,
                                     std::set<uint64_t> segments, DatasetTransaction& transaction);

/// The segments of a dataset that were removed and may still be on disk.
absl::StatusOr<std::set<uint64_t>> GarbageSegments(KvStore& kv, uint32_t dataset_id,
                                                   const KvSnapshot* snapshot);

/// Notes that segment `made` was made of `sources` while images of those were deleted: it holds them, too.
absl::Status MoveDeletions(KvStore& kv, std::span<const ImageSource> sources, uint64_t made,
                           DatasetTransaction& transaction);

/// Of which something is still on disk, in the order of their times.
absl::StatusOr<std::vector<storage::v1::DeletionRecord>> PendingDeletions(KvStore& kv, uint32_t dataset_id,
                                                                          const KvSnapshot* snapshot);
/// The first of them, without reading the others.
absl::StatusOr<std::optional<storage::v1::DeletionRecord>> OldestPendingDeletion(KvStore& kv,
                                                                                 uint32_t dataset_id);
absl::StatusOr<std::vector<storage::v1::DeletionRecord>> PurgedDeletions(KvStore& kv, uint32_t dataset_id,
                                                                         const KvSnapshot* snapshot);

/// Notes that nothing of `segments`, which are garbage, is on disk any more.
absl::Status NoteReclaimed(KvStore& kv, const std::set<uint64_t>& segments, DatasetTransaction& transaction);

/// Notes that beside segments nothing is left of what the deletions up to number `through` were about: those
/// that wait for no segment are purged.
absl::Status NotePurged(KvStore& kv, uint64_t through, DatasetTransaction& transaction);

}  // namespace freqstore
