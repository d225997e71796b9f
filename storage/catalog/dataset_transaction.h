// Changes of one dataset that become visible, and durable, in one step.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/catalog/dataset_view.h"
#include "storage/catalog/segment_state.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// Made by Catalog::Transact. Not thread-safe.
class DatasetTransaction {
 public:
  explicit DatasetTransaction(DatasetView view) : view_(std::move(view)) {}

  /// As it is before the change. Nothing but this transaction changes segments, states or the dataset itself;
  /// new delta rows may come meanwhile.
  const DatasetView& view() const { return view_; }
  uint32_t dataset_id() const { return view_.meta.dataset_id(); }

  /// Further changes of keys, applied in the same step.
  KvBatch& batch() { return batch_; }

  void AddSegment(storage::v1::SegmentMeta meta, SegmentState state);
  /// With everything it holds, but for the rows that point to it. It is garbage until its bytes are off the
  /// disk.
  void RemoveSegment(uint64_t segment_id);
  void UpdateState(uint64_t segment_id, SegmentState state);
  void SetDataset(storage::v1::DatasetMeta meta);
  /// A number for a DeletionRecord.
  uint64_t NextDeletion();

  bool empty() const { return batch_.changes().empty(); }

 private:
  friend class Catalog;

  const DatasetView view_;
  KvBatch batch_;
  std::map<uint64_t, SegmentEntry> changed_;  // added, or with another state
  std::set<uint64_t> removed_;
  std::optional<storage::v1::DatasetMeta> meta_;
};

}  // namespace freqstore
