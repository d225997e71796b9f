#include "storage/engine/image_id_guard.h"

#include "fmt/format.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"

namespace freqstore {

absl::StatusOr<ImageIdGuard::Claim> ImageIdGuard::TryClaim(uint32_t dataset_id, std::string_view image_id,
                                                           std::string_view sha256) {
  {
    absl::MutexLock lock(&mutex_);
    if (!claimed_.emplace(dataset_id, image_id).second) {
      return MakeError(absl::StatusCode::kAlreadyExists, "IMAGE_BEING_IMPORTED",
                       fmt::format("'{}' is given twice, or another import is adding it now", image_id));
    }
  }
  auto stored = kv_->Get(Family::kRows, keys::ImageId(dataset_id, image_id));
  if (stored.ok() && !stored->has_value()) return Claim::kClaimed;
  Release(dataset_id, image_id);
  RETURN_IF_ERROR(stored.status());
  storage::v1::RowLocation location;
  if (location.ParseFromString(**stored) && location.sha256() == sha256) return Claim::kPresent;
  return MakeError(absl::StatusCode::kAlreadyExists, "IMAGE_EXISTS",
                   fmt::format("'{}' is stored with other content; import it under another id", image_id));
}

void ImageIdGuard::Release(uint32_t dataset_id, std::string_view image_id) {
  absl::MutexLock lock(&mutex_);
  claimed_.erase({dataset_id, std::string(image_id)});
}

}  // namespace freqstore
