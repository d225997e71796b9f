#include "storage/kv/rocks_reads.h"

#include <algorithm>

#include "storage/kv/rocks_status.h"

namespace freqstore {

rocksdb::ReadOptions ReadsAt(const KvSnapshot* snapshot) {
  rocksdb::ReadOptions options;
  if (snapshot != nullptr) options.snapshot = static_cast<const RocksSnapshot*>(snapshot)->get();
  return options;
}

Bytes RocksValue::bytes() const {
  return AsBytes(FromSlice(slice_));
}

RocksCursor::RocksCursor(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family, std::string prefix,
                         const rocksdb::ReadOptions& options)
    : db_(db),
      family_(family),
      options_(options),
      prefix_(std::move(prefix)),
      end_(PrefixEnd(prefix_)),
      end_slice_(end_) {
  if (!end_.empty()) options_.iterate_upper_bound = &end_slice_;
  // Files that became obsolete while the cursor was open are deleted by a background thread, not by its
  // owner.
  options_.background_purge_on_iterator_cleanup = true;
  iterator_.reset(db->NewIterator(options_, family));
  iterator_->Seek(prefix_);
}

void RocksCursor::Seek(std::string_view key) {
  iterator_->Seek(ToSlice(std::max<std::string_view>(key, prefix_)));
}

std::string_view RocksCursor::key() const {
  return FromSlice(iterator_->key());
}

std::string_view RocksCursor::value() const {
  return FromSlice(iterator_->value());
}

absl::Status RocksCursor::status() const {
  if (iterator_->Valid() || !iterator_->status().ok()) return FromRocks(iterator_->status());
  if (!checked_) checked_ = CheckTables();
  return FromRocks(*checked_);
}

rocksdb::Status RocksCursor::CheckTables() const {
  rocksdb::ColumnFamilyMetaData tables;
  db_->GetColumnFamilyMetaData(family_, &tables);
  std::unique_ptr<rocksdb::Iterator> probe;
  for (const rocksdb::LevelMetaData& level : tables.levels) {
    for (const rocksdb::SstFileMetaData& table : level.files) {
      // Tables of level 0 are not gone through in a row, and the first of a level was found by a seek.
      if (level.level == 0 || table.smallestkey <= prefix_) continue;
      if (!end_.empty() && table.smallestkey >= end_) continue;
      if (probe == nullptr) probe.reset(db_->NewIterator(options_, family_));
      probe->Seek(table.smallestkey);
      if (!probe->status().ok()) return probe->status();
    }
  }
  return rocksdb::Status::OK();
}

}  // namespace freqstore
