// Which image had a content first.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "storage/kv/kv_store.h"
#include "storage/segment/image_record.h"

namespace freqstore {

/// Imports under way included. Thread-safe.
class ContentIndex {
 public:
  explicit ContentIndex(KvStore* kv) : kv_(kv) {}

  /// The image_id that has this content, or is about to; empty if none: then `image_id` is about to, until
  /// the caller calls Release.
  absl::StatusOr<std::string> Claim(uint32_t dataset_id, std::string_view sha256, std::string_view image_id);
  /// Does nothing if another image claimed it.
  void Release(uint32_t dataset_id, std::string_view sha256, std::string_view image_id);

 private:
  using Key = std::pair<uint32_t, std::string>;

  KvStore* const kv_;
  absl::Mutex mutex_;
  std::map<Key, std::string> claimed_ ABSL_GUARDED_BY(mutex_);
};

/// Notes that `image` is the first with its content, if it is.
void PutContent(uint32_t dataset_id, const ImageRecord& image, KvBatch& batch);

/// Forgets that, if it was noted of `image_id`: the next image with this content will be a first one.
absl::Status RemoveContent(KvStore& kv, uint32_t dataset_id, std::string_view sha256,
                           std::string_view image_id, const KvSnapshot* snapshot, KvBatch& batch);

}  // namespace freqstore
