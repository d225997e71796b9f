#include "storage/engine/content_index.h"

#include <optional>

#include "storage/base/status.h"
#include "storage/catalog/keys.h"

namespace freqstore {

absl::StatusOr<std::string> ContentIndex::Claim(uint32_t dataset_id, std::string_view sha256,
                                                std::string_view image_id) {
  absl::MutexLock lock(&mutex_);
  const auto [claim, is_first] = claimed_.try_emplace(Key(dataset_id, sha256), image_id);
  if (!is_first) return claim->second;
  // Read under the lock: whoever claimed it before has either not written yet, and is found above, or is
  // found here.
  absl::StatusOr<std::optional<std::string>> stored =
      kv_->Get(Family::kCatalog, keys::Content(dataset_id, sha256));
  if (stored.ok() && !stored->has_value()) return std::string();
  claimed_.erase(claim);
  RETURN_IF_ERROR(stored.status());
  return **std::move(stored);
}

void ContentIndex::Release(uint32_t dataset_id, std::string_view sha256, std::string_view image_id) {
  absl::MutexLock lock(&mutex_);
  const auto claim = claimed_.find(Key(dataset_id, sha256));
  if (claim != claimed_.end() && claim->second == image_id) claimed_.erase(claim);
}

void PutContent(uint32_t dataset_id, const ImageRecord& image, KvBatch& batch) {
  if (image.duplicate_of.empty())
    batch.Put(Family::kCatalog, keys::Content(dataset_id, image.sha256), image.image_id);
}

absl::Status RemoveContent(KvStore& kv, uint32_t dataset_id, std::string_view sha256,
                           std::string_view image_id, const KvSnapshot* snapshot, KvBatch& batch) {
  std::string key = keys::Content(dataset_id, sha256);
  ASSIGN_OR_RETURN(const auto first, kv.Get(Family::kCatalog, key, snapshot));
  if (first == image_id) batch.Delete(Family::kCatalog, std::move(key));
  return absl::OkStatus();
}

}  // namespace freqstore
