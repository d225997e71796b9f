#include "storage/kv/rocks_background_error.h"

#include <utility>

namespace freqstore {
namespace {

class ErrorListener final : public rocksdb::EventListener {
 public:
  explicit ErrorListener(std::shared_ptr<RocksBackgroundError> error) : error_(std::move(error)) {}
  const char* Name() const override { return "RocksWriteGate"; }

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override {
    if (reason != rocksdb::BackgroundErrorReason::kCompaction) {
      // Not fatal: see RocksWriteGate::FinishRecovery().
      if (error->IsIOError()) *error = rocksdb::Status(*error, rocksdb::Status::Severity::kHardError);
      return error_->SetWrites(*error);
    }
    // A compaction that failed has changed nothing, and RocksDB tries it again every second. Its inputs may
    // be damaged: to stop writes would also stop the deletion of what is damaged.
    error_->SetCompaction(*error);
    *error = rocksdb::Status::OK();
  }
  void OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& recovery) override {
    if (recovery.new_bg_error.ok()) error_->SetRecovered();
  }
  void OnCompactionCompleted(rocksdb::DB* /*db*/, const rocksdb::CompactionJobInfo& compaction) override {
    if (compaction.status.ok()) error_->SetCompaction(rocksdb::Status::OK());
  }

 private:
  const std::shared_ptr<RocksBackgroundError> error_;
};

}  // namespace

void RocksBackgroundError::SetWrites(const rocksdb::Status& status) {
  absl::MutexLock lock(&mutex_);
  if (state_.writes.ok()) state_.since = std::chrono::system_clock::now();
  state_.writes = status;
  ++state_.count;
  state_.recovered = false;
}

void RocksBackgroundError::SetRecovered() {
  absl::MutexLock lock(&mutex_);
  state_.recovered = true;
}

void RocksBackgroundError::SetCompaction(const rocksdb::Status& status) {
  absl::MutexLock lock(&mutex_);
  if (state_.writes.ok() && state_.compaction.ok()) state_.since = std::chrono::system_clock::now();
  state_.compaction = status;
}

bool RocksBackgroundError::ClearWrites(uint64_t count) {
  absl::MutexLock lock(&mutex_);
  if (state_.count == count) state_.writes = rocksdb::Status::OK();
  return state_.count == count;
}

RocksBackgroundError::State RocksBackgroundError::Get() const {
  absl::MutexLock lock(&mutex_);
  return state_;
}

bool RocksBackgroundError::AwaitWritable(absl::Duration patience) const {
  absl::MutexLock lock(&mutex_);
  const auto writable = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return state_.writes.ok(); };
  return mutex_.AwaitWithTimeout(absl::Condition(&writable), patience);
}

bool RocksBackgroundError::AwaitError() const {
  absl::MutexLock lock(&mutex_);
  const auto wake = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopped_ || !state_.writes.ok(); };
  mutex_.Await(absl::Condition(&wake));
  return !stopped_;
}

bool RocksBackgroundError::AwaitRecovered(absl::Duration patience) const {
  absl::MutexLock lock(&mutex_);
  const auto wake = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopped_ || state_.recovered; };
  mutex_.AwaitWithTimeout(absl::Condition(&wake), patience);
  return state_.recovered;
}

void RocksBackgroundError::Stop() {
  absl::MutexLock lock(&mutex_);
  stopped_ = true;
}

std::shared_ptr<rocksdb::EventListener> ListenForErrors(std::shared_ptr<RocksBackgroundError> error) {
  return std::make_shared<ErrorListener>(std::move(error));
}

}  // namespace freqstore
