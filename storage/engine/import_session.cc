#include "storage/engine/import_session.h"

#include <utility>

#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "storage/engine/delta.h"

namespace freqstore {

ImportSession::ImportSession(ImportContext context, ImportOptions options, uint32_t dataset_id,
                             Acknowledge acknowledge)
    : context_(context),
      options_(options),
      dataset_id_(dataset_id),
      acknowledge_(std::move(acknowledge)),
      last_activity_(std::chrono::steady_clock::now()) {}

void ImportSession::Add(ImportItem item) {
  {
    absl::MutexLock lock(&mutex_);
    bytes_in_flight_ += item.file.size();
    ++unacknowledged_;
    ++encoding_;
    last_activity_ = std::chrono::steady_clock::now();
  }
  auto shared = std::make_shared<ImportItem>(std::move(item));
  context_.pool->Submit([self = shared_from_this(), shared] { self->Encode(std::move(*shared)); });
}

uint64_t ImportSession::bytes_in_flight() const {
  absl::MutexLock lock(&mutex_);
  return bytes_in_flight_;
}

absl::StatusOr<ImageIdGuard::Claim> ImportSession::Admit(const ImportItem& item, std::string_view sha256) {
  RETURN_IF_ERROR(CheckImageId(item.image_id));
  return context_.ids->TryClaim(dataset_id_, item.image_id, sha256);
}

void ImportSession::Encode(ImportItem item) {
  const uint64_t sequence = item.sequence;
  const uint64_t bytes = item.file.size();
  const std::string image_id = item.image_id;
  std::string sha256 = Sha256(AsBytes(item.file));
  absl::StatusOr<ImageIdGuard::Claim> claim = Admit(item, sha256);
  if (!claim.ok() || *claim == ImageIdGuard::Claim::kPresent) {
    Report({sequence, image_id, claim.status(), claim.ok()}, bytes);
    Enqueue({});
    return;
  }
  absl::StatusOr<EncodedImage> image =
      EncodeImage(std::move(item.image_id), std::move(sha256), std::move(item.file), options_.jpeg);
  if (!image.ok()) {
    context_.ids->Release(dataset_id_, image_id);
    Report({sequence, image_id, image.status()}, bytes);
    Enqueue({});
    return;
  }
  Enqueue({sequence, *std::move(image)});
}

// An empty `waiting` stands for an item that was answered already; it may still be the last one awaited.
void ImportSession::Enqueue(Waiting waiting) {
  std::vector<Group> ready;
  {
    absl::MutexLock lock(&mutex_);
    --encoding_;
    if (!waiting.image.row.images.empty()) {
      const ImageGeometry& geometry = waiting.image.record().geometry;
      Group& group = open_[ComponentLayoutOf(geometry).SerializeAsString()];
      group.luma_blocks += geometry.components.front().grid.blocks();
      group.images.push_back(std::move(waiting));
      if (Fills(group, 1)) ready.push_back(std::exchange(group, {}));
    }
    if (ShouldSpillLocked()) {
      for (Group& group : TakeAllLocked()) ready.push_back(std::move(group));
    }
  }
  CommitAll(std::move(ready));
}

bool ImportSession::ShouldSpillLocked() const {
  return encoding_ == 0 && (done_ != nullptr || bytes_in_flight_ >= options_.stream_bytes_max);
}

std::vector<ImportSession::Group> ImportSession::TakeAllLocked() {
  std::vector<Group> groups;
  for (auto& [layout, group] : open_) {
    if (!group.images.empty()) groups.push_back(std::move(group));
  }
  open_.clear();
  return groups;
}

// True if `group` fills at least 1/parts of a segment.
bool ImportSession::Fills(const Group& group, uint32_t parts) const {
  return group.images.size() * parts >= options_.segment.images ||
         group.luma_blocks * parts >= options_.segment.luma_blocks;
}

void ImportSession::CommitAll(std::vector<Group> groups) {
  for (Group& group : groups) Commit(std::move(group));
}

void ImportSession::Commit(Group group) {
  std::vector<EncodedImage> images;
  images.reserve(group.images.size());
  for (Waiting& waiting : group.images) images.push_back(std::move(waiting.image));
  const absl::Status status = Fills(group, options_.segment_parts_min)
                                  ? CommitSegment(*context_.kv, *context_.catalog, dataset_id_, images, {})
                                  : CommitDelta(*context_.catalog, dataset_id_, images);
  for (size_t i = 0; i < images.size(); ++i) {
    const ImageRecord& record = images[i].record();
    context_.ids->Release(dataset_id_, record.image_id);
    Report({group.images[i].sequence, record.image_id, status}, record.file_bytes);
  }
}

void ImportSession::Report(ImportOutcome outcome, uint64_t bytes) {
  {
    absl::MutexLock lock(&mutex_);
    bytes_in_flight_ -= bytes;
  }
  acknowledge_(std::move(outcome));
  std::function<void()> done;
  {
    absl::MutexLock lock(&mutex_);
    if (--unacknowledged_ == 0) done = std::exchange(done_, nullptr);
  }
  if (done) done();
}

void ImportSession::Finish(std::function<void()> done) {
  std::vector<Group> rest;
  {
    absl::MutexLock lock(&mutex_);
    if (unacknowledged_ > 0) {
      done_ = std::exchange(done, nullptr);
      if (ShouldSpillLocked()) rest = TakeAllLocked();
    }
  }
  if (done) {
    done();
    return;
  }
  if (rest.empty()) return;
  auto shared = std::make_shared<std::vector<Group>>(std::move(rest));
  context_.pool->Submit([self = shared_from_this(), shared] { self->CommitAll(std::move(*shared)); });
}

void ImportSession::OnTick() {
  std::vector<Group> waiting;
  {
    absl::MutexLock lock(&mutex_);
    const bool paused = std::chrono::steady_clock::now() - last_activity_ >= options_.idle;
    if (encoding_ > 0 || !paused) return;
    waiting = TakeAllLocked();
  }
  if (waiting.empty()) return;
  auto shared = std::make_shared<std::vector<Group>>(std::move(waiting));
  context_.pool->Submit([self = shared_from_this(), shared] { self->CommitAll(std::move(*shared)); });
}

}  // namespace freqstore
