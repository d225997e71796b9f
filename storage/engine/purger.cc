#include "storage/engine/purger.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/deletion_log.h"

namespace freqstore {

absl::StatusOr<bool> ReclaimGarbage(KvStore& kv, Catalog& catalog, uint32_t dataset_id) {
  ASSIGN_OR_RETURN(const std::set<uint64_t> garbage, GarbageSegments(kv, dataset_id, nullptr));
  if (garbage.empty()) return true;
  std::vector<std::string> prefixes;
  for (const uint64_t segment : garbage) prefixes.push_back(keys::SegmentRows(dataset_id, segment));
  for (const Family family : {Family::kColumns, Family::kEnvelopes, Family::kAttributes}) {
    ASSIGN_OR_RETURN(const bool is_gone, kv.Purge(family, prefixes));
    if (!is_gone) return false;
  }
  RETURN_IF_ERROR(catalog.Transact(dataset_id, [&](DatasetTransaction& transaction) {
    transaction.batch().set_frees_space();
    return NoteReclaimed(kv, garbage, transaction);
  }));
  return true;
}

absl::StatusOr<bool> PurgeDeletions(KvStore& kv, Catalog& catalog, uint32_t dataset_id) {
  ASSIGN_OR_RETURN(const auto pending, PendingDeletions(kv, dataset_id, nullptr));
  uint64_t through = 0;
  for (const storage::v1::DeletionRecord& record : pending) {
    if (record.pending_segments_size() == 0) through = std::max(through, record.deletion_id());
  }
  if (through == 0) return true;
  const std::vector<std::string> rows = {keys::DatasetRows(dataset_id)};
  for (const Family family : {Family::kDelta, Family::kRows, Family::kAttributes}) {
    ASSIGN_OR_RETURN(const bool is_gone, kv.Purge(family, rows));
    if (!is_gone) return false;
  }
  ASSIGN_OR_RETURN(const bool is_gone, kv.Purge(Family::kCatalog, keys::DatasetPrefixes(dataset_id)));
  if (!is_gone) return false;
  RETURN_IF_ERROR(catalog.Transact(dataset_id, [&](DatasetTransaction& transaction) {
    transaction.batch().set_frees_space();
    return NotePurged(kv, through, transaction);
  }));
  return true;
}

}  // namespace freqstore
