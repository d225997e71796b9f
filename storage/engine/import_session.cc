#include "storage/engine/import_session.h"

#include <algorithm>
#include <utility>

#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "storage/engine/delta.h"
#include "storage/engine/segment_commit.h"

namespace freqstore {
namespace {

template <typename Images>
std::vector<const ImageRecord*> RecordsOf(const Images& images) {
  std::vector<const ImageRecord*> records;
  for (const auto& waiting : images) records.push_back(&waiting.image.record());
  return records;
}

}  // namespace

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
  const std::string sha256 = Sha256(AsBytes(item.file));
  absl::StatusOr<ImageIdGuard::Claim> claim = Admit(item, sha256);
  if (!claim.ok() || *claim == ImageIdGuard::Claim::kPresent) {
    Report({sequence, image_id, claim.status(), claim.ok()}, bytes);
    Enqueue(std::nullopt);
    return;
  }
  absl::StatusOr<EncodedImage> image = EncodeAdmitted(std::move(item), sha256);
  if (!image.ok()) {
    Release(image_id, sha256);
    Report({sequence, image_id, image.status()}, bytes);
    Enqueue(std::nullopt);
    return;
  }
  Enqueue(Waiting{sequence, *std::move(image)});
}

absl::StatusOr<EncodedImage> ImportSession::EncodeAdmitted(ImportItem item, const std::string& sha256) {
  ASSIGN_OR_RETURN(auto values, ResolveAttributes(*context_.catalog, dataset_id_, item.attributes));
  ASSIGN_OR_RETURN(std::string first, context_.contents->Claim(dataset_id_, sha256, item.image_id));
  ASSIGN_OR_RETURN(EncodedImage image, EncodeImage(std::move(item.image_id), sha256, std::move(item.file),
                                                   options_.jpeg, options_.on_damage));
  image.packed.record.duplicate_of = std::move(first);
  for (auto& [attribute, value] : values) {
    if (IsPresent(value)) image.attributes.insert_or_assign(attribute, std::move(value));
  }
  return image;
}

void ImportSession::Release(std::string_view image_id, std::string_view sha256) {
  context_.contents->Release(dataset_id_, sha256, image_id);
  context_.ids->Release(dataset_id_, image_id);
}

void ImportSession::Enqueue(std::optional<Waiting> waiting) {
  Images full;
  Images due;
  {
    absl::MutexLock lock(&mutex_);
    --encoding_;
    if (waiting) full = AddToGroupLocked(*std::move(waiting));
    due = TakeDueLocked();
  }
  Partition(std::move(due));
  if (!full.empty()) Commit(std::move(full));
}

ImportSession::Images ImportSession::AddToGroupLocked(Waiting waiting) {
  const ImageRecord& record = waiting.image.record();
  const auto found = open_.try_emplace(ClusterKeyOf(record), Group{{}, SegmentFill(options_.segment)}).first;
  Group& group = found->second;
  group.fill.Add(record);
  waiting_bytes_ += record.file_bytes;
  group.images.push_back(std::move(waiting));
  if (!group.fill.full()) return {};
  Images images = std::move(group.images);
  open_.erase(found);
  for (const Waiting& image : images) waiting_bytes_ -= image.image.record().file_bytes;
  return images;
}

ImportSession::Images ImportSession::TakeDueLocked() {
  if (encoding_ > 0) return {};
  if (done_ != nullptr) return TakeFullestLocked(0);
  // While the greater part is being committed, the budget will soon have room again.
  const uint64_t half = options_.stream_bytes_max / 2;
  return bytes_in_flight_ >= options_.stream_bytes_max ? TakeFullestLocked(half) : Images();
}

ImportSession::Images ImportSession::TakeFullestLocked(uint64_t bytes_left) {
  Images taken;
  while (!open_.empty() && waiting_bytes_ > bytes_left) {
    const auto fullest =
        std::ranges::max_element(open_, {}, [](const auto& entry) { return entry.second.fill.fill(); });
    for (Waiting& waiting : fullest->second.images) {
      waiting_bytes_ -= waiting.image.record().file_bytes;
      taken.push_back(std::move(waiting));
    }
    open_.erase(fullest);
  }
  return taken;
}

void ImportSession::Partition(Images images) {
  for (const std::vector<size_t>& segment : PartitionIntoSegments(RecordsOf(images), options_.segment)) {
    auto members = std::make_shared<Images>();
    for (const size_t index : segment) members->push_back(std::move(images[index]));
    context_.pool->Submit([self = shared_from_this(), members] { self->Commit(std::move(*members)); });
  }
}

void ImportSession::Commit(Images images) {
  SegmentFill fill(options_.segment);
  std::vector<uint64_t> sequences;
  std::vector<EncodedImage> encoded;
  for (const size_t index : SegmentOrder(RecordsOf(images))) {
    fill.Add(images[index].image.record());
    sequences.push_back(images[index].sequence);
    encoded.push_back(std::move(images[index].image));
  }
  const absl::Status status =
      fill.small() ? CommitDelta(*context_.catalog, dataset_id_, encoded)
                   : CommitInDatasetLayout(*context_.kv, *context_.catalog, dataset_id_, encoded);
  for (size_t i = 0; i < encoded.size(); ++i) {
    const ImageRecord& record = encoded[i].record();
    Release(record.image_id, record.sha256);
    Report({sequences[i], record.image_id, status}, record.file_bytes);
  }
}

void ImportSession::Report(ImportOutcome outcome, uint64_t bytes) {
  {
    absl::MutexLock lock(&mutex_);
    bytes_in_flight_ -= bytes;
  }
  context_.counters->Count(outcome.status, bytes);
  acknowledge_(std::move(outcome));
  std::function<void()> done;
  {
    absl::MutexLock lock(&mutex_);
    if (--unacknowledged_ == 0) done = std::exchange(done_, nullptr);
  }
  if (done) done();
}

void ImportSession::Finish(std::function<void()> done) {
  Images rest;
  {
    absl::MutexLock lock(&mutex_);
    if (unacknowledged_ > 0) {
      done_ = std::exchange(done, nullptr);
      rest = TakeDueLocked();
    }
  }
  if (done) {
    done();
    return;
  }
  Partition(std::move(rest));
}

void ImportSession::OnTick() {
  Images waiting;
  {
    absl::MutexLock lock(&mutex_);
    const bool paused = std::chrono::steady_clock::now() - last_activity_ >= options_.idle;
    if (encoding_ > 0 || !paused) return;
    waiting = TakeFullestLocked(0);
  }
  Partition(std::move(waiting));
}

}  // namespace freqstore
