// Snapshots, values and cursors over RocksDB.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <rocksdb/db.h>

#include "storage/kv/kv_store.h"

namespace freqstore {

class RocksSnapshot final : public KvSnapshot {
 public:
  explicit RocksSnapshot(rocksdb::DB* db) : db_(db), snapshot_(db->GetSnapshot()) {}
  ~RocksSnapshot() override { db_->ReleaseSnapshot(snapshot_); }
  RocksSnapshot(const RocksSnapshot&) = delete;
  RocksSnapshot& operator=(const RocksSnapshot&) = delete;
  const rocksdb::Snapshot* get() const { return snapshot_; }

 private:
  rocksdb::DB* db_;
  const rocksdb::Snapshot* snapshot_;
};

/// How to read at a snapshot, or the present if it is null.
rocksdb::ReadOptions ReadsAt(const KvSnapshot* snapshot);

class RocksValue final : public KvValue {
 public:
  explicit RocksValue(rocksdb::PinnableSlice&& slice) : slice_(std::move(slice)) {}
  Bytes bytes() const override;

 private:
  rocksdb::PinnableSlice slice_;
};

/// RocksDB 7.8 loses an error: an iterator that goes from one table of a level to the next, and cannot read
/// that one, ends as if there were no more keys. (MergingIterator::SkipNextDeleted() does not look at the
/// status.) A seek does give the error, so at its end the cursor seeks to the beginning of each further table
/// on its way.
class RocksCursor final : public KvCursor {
 public:
  RocksCursor(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family, std::string prefix,
              const rocksdb::ReadOptions& options);
  bool Valid() const override { return iterator_->Valid(); }
  void Next() override { iterator_->Next(); }
  void Seek(std::string_view key) override;
  std::string_view key() const override;
  std::string_view value() const override;
  absl::Status status() const override;

 private:
  rocksdb::Status CheckTables() const;

  rocksdb::DB* const db_;
  rocksdb::ColumnFamilyHandle* const family_;
  rocksdb::ReadOptions options_;
  std::string prefix_;
  std::string end_;
  rocksdb::Slice end_slice_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  mutable std::optional<rocksdb::Status> checked_;  ///< of CheckTables(), at the end
};

}  // namespace freqstore
