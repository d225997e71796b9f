// Keeps two imports from adding one image_id at the same time.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// Thread-safe.
class ImageIdGuard {
 public:
  explicit ImageIdGuard(KvStore* kv) : kv_(kv) {}

  enum class Claim : uint8_t {
    kClaimed,  ///< the caller may add the image and then calls Release
    kPresent,  ///< the same content is stored under this id: nothing to do
  };

  /// `sha256` is the content's. ALREADY_EXISTS: other content is stored under the id (IMAGE_EXISTS), or
  /// another import is adding it right now (IMAGE_BEING_IMPORTED).
  absl::StatusOr<Claim> TryClaim(uint32_t dataset_id, std::string_view image_id, std::string_view sha256);
  void Release(uint32_t dataset_id, std::string_view image_id);

 private:
  KvStore* const kv_;
  absl::Mutex mutex_;
  std::set<std::pair<uint32_t, std::string>> claimed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace freqstore
