#include "storage/catalog/dataset_transaction.h"

#include <memory>

#include "storage/catalog/keys.h"

namespace freqstore {

void DatasetTransaction::AddSegment(storage::v1::SegmentMeta meta, SegmentState state) {
  const uint64_t segment_id = meta.segment_id();
  batch_.Put(Family::kCatalog, keys::Segment(dataset_id(), segment_id), meta.SerializeAsString());
  batch_.Put(Family::kCatalog, keys::SegmentState(dataset_id(), segment_id),
             ToStored(state).SerializeAsString());
  changed_[segment_id] = {std::make_shared<const storage::v1::SegmentMeta>(std::move(meta)),
                          std::make_shared<const SegmentState>(std::move(state))};
}

void DatasetTransaction::RemoveSegment(uint64_t segment_id) {
  batch_.Delete(Family::kCatalog, keys::Segment(dataset_id(), segment_id));
  batch_.Delete(Family::kCatalog, keys::SegmentState(dataset_id(), segment_id));
  batch_.Delete(Family::kCatalog, keys::ImageTable(dataset_id(), segment_id));
  for (const Family family : {Family::kColumns, Family::kEnvelopes, Family::kAttributes})
    batch_.DeletePrefix(family, keys::SegmentRows(dataset_id(), segment_id));
  batch_.Put(Family::kCatalog, keys::Garbage(dataset_id(), segment_id), {});
  batch_.set_frees_space();
  removed_.insert(segment_id);
}

void DatasetTransaction::UpdateState(uint64_t segment_id, SegmentState state) {
  batch_.Put(Family::kCatalog, keys::SegmentState(dataset_id(), segment_id),
             ToStored(state).SerializeAsString());
  changed_[segment_id] = {view_.FindSegment(segment_id)->meta,
                          std::make_shared<const SegmentState>(std::move(state))};
}

void DatasetTransaction::SetDataset(storage::v1::DatasetMeta meta) {
  batch_.Put(Family::kCatalog, keys::Dataset(meta.name()), meta.SerializeAsString());
  meta_ = std::move(meta);
}

uint64_t DatasetTransaction::NextDeletion() {
  storage::v1::DatasetMeta meta = meta_.value_or(view_.meta);
  const uint64_t id = meta.next_deletion_id() + 1;
  meta.set_next_deletion_id(id);
  SetDataset(std::move(meta));
  return id;
}

}  // namespace freqstore
