#include "server/exec/export_job.h"

#include <algorithm>
#include <utility>

#include "storage/engine/originals.h"

namespace freqstore {
namespace {

uint64_t BytesOf(const ExportedImage& image) {
  return image.image_id.size() + (image.file.ok() ? image.file->size() : 0);
}

}  // namespace

ExportJob::ExportJob(std::shared_ptr<const DatasetSnapshot> snapshot, const RowSelection& rows,
                     ExportOptions options)
    : snapshot_(std::move(snapshot)), options_(options) {
  for (const PartRows& part : rows.parts) shares_.push_back({part.part, part.rows.ToOrdinals()});
  const size_t threads = std::clamp<size_t>(options_.threads, 1, std::max<size_t>(1, shares_.size()));
  {
    absl::MutexLock lock(&mutex_);
    threads_running_ = threads;
    for (const FailedRow& row : rows.failed) ready_.push_back({row.image_id, row.status});
  }
  for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

ExportJob::~ExportJob() {
  Cancel();
  for (std::thread& thread : threads_) thread.join();
}

void ExportJob::Run() {
  while (true) {
    const Share* share = nullptr;
    {
      absl::MutexLock lock(&mutex_);
      if (cancelled_ || next_share_ == shares_.size()) break;
      share = &shares_[next_share_++];
    }
    RunShare(*share);
  }
  EndThread();
}

void ExportJob::RunShare(const Share& share) {
  const Part& part = snapshot_->parts()[share.part];
  const absl::StatusOr<ImageRows> rows = snapshot_->ReadRows(part);
  std::vector<bool> answered(part.images);
  absl::Status status = rows.status();
  if (status.ok()) {
    status = ReadOriginalFiles(*snapshot_, part, share.ordinals,
                               [&](uint32_t ordinal, absl::StatusOr<std::string> file) {
                                 answered[ordinal] = true;
                                 return Put({(**rows)[ordinal].image_id, std::move(file)});
                               });
  }
  if (status.ok()) return;
  // The rows say which images are lost with the part; without them, it has no names.
  for (const uint32_t ordinal : share.ordinals) {
    if (!answered[ordinal]) Put({rows.ok() ? (**rows)[ordinal].image_id : std::string(), status});
  }
}

bool ExportJob::Put(ExportedImage image) {
  std::function<void()> wake;
  {
    absl::MutexLock lock(&mutex_);
    const auto has_room = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return cancelled_ || ready_bytes_ < options_.bytes_max;
    };
    mutex_.Await(absl::Condition(&has_room));
    if (cancelled_) return false;
    ready_bytes_ += BytesOf(image);
    ready_.push_back(std::move(image));
    wake = std::exchange(on_ready_, nullptr);
  }
  if (wake) wake();
  return true;
}

void ExportJob::EndThread() {
  std::function<void()> wake;
  {
    absl::MutexLock lock(&mutex_);
    if (--threads_running_ == 0) wake = std::exchange(on_ready_, nullptr);
  }
  if (wake) wake();
}

ExportJob::Taken ExportJob::Take(std::function<void()> on_ready) {
  absl::MutexLock lock(&mutex_);
  Taken taken;
  if (!ready_.empty()) {
    taken.image = std::move(ready_.front());
    ready_.pop_front();
    ready_bytes_ -= std::min(ready_bytes_, BytesOf(*taken.image));
  } else if (threads_running_ == 0) {
    taken.ended = true;
  } else {
    on_ready_ = std::move(on_ready);
  }
  return taken;
}

void ExportJob::Cancel() {
  absl::MutexLock lock(&mutex_);
  cancelled_ = true;
}

}  // namespace freqstore
