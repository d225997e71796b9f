// One import stream: files in, acknowledgements out once what they stand for is durable.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "storage/base/thread_pool.h"
#include "storage/catalog/catalog.h"
#include "storage/engine/attribute_update.h"
#include "storage/engine/cluster.h"
#include "storage/engine/content_index.h"
#include "storage/engine/image_encoder.h"
#include "storage/engine/image_id_guard.h"
#include "storage/engine/import_counters.h"

namespace freqstore {

struct ImportItem {
  uint64_t sequence = 0;  ///< the client's number, given back in the outcome
  std::string image_id;
  std::string file;
  NamedValues attributes = {};
};

struct ImportOutcome {
  uint64_t sequence = 0;
  std::string image_id;
  absl::Status status;
  bool already_present = false;  ///< the same content was stored under this id before
};

struct ImportOptions {
  JpegLimits jpeg;
  /// At the end of a stream, left-over images that are too few for a segment go to the delta; more become a
  /// smaller segment at once.
  SegmentTarget segment;
  /// A stream that pauses this long gets what it sent acknowledged, through the delta.
  std::chrono::milliseconds idle = std::chrono::milliseconds(200);
  OnDamage on_damage = OnDamage::kKeep;  ///< of one stream: StorageEngine::StartImport sets it
  /// Files taken and not yet acknowledged. There, the fullest segments to be are written as they are.
  uint64_t stream_bytes_max = uint64_t{256} << 20;
};

/// What a session works with; outlives it.
struct ImportContext {
  KvStore* kv = nullptr;
  Catalog* catalog = nullptr;
  ImageIdGuard* ids = nullptr;
  ContentIndex* contents = nullptr;
  ThreadPool* pool = nullptr;
  ImportCounters* counters = nullptr;
};

/// Thread-safe. Make it with std::make_shared: work in the pool keeps it alive.
class ImportSession : public std::enable_shared_from_this<ImportSession> {
 public:
  /// Called once an item, from the pool's threads, in the order of completion.
  using Acknowledge = std::function<void(ImportOutcome)>;

  ImportSession(ImportContext context, ImportOptions options, uint32_t dataset_id, Acknowledge acknowledge);

  /// Takes an item; never blocks. Callers hold back while bytes_in_flight() is at options.stream_bytes_max.
  void Add(ImportItem item);

  uint64_t bytes_in_flight() const;

  /// No more items come: `done` is called once after the last acknowledgement, perhaps from this call.
  void Finish(std::function<void()> done);

  /// Called now and then by the engine: writes what waits if the stream has paused.
  void OnTick();

 private:
  struct Waiting {
    uint64_t sequence;
    EncodedImage image;
  };
  using Images = std::vector<Waiting>;
  /// Images of one class that wait for company.
  struct Group {
    Images images;
    SegmentFill fill;
  };

  void Encode(ImportItem item);
  absl::StatusOr<ImageIdGuard::Claim> Admit(const ImportItem& item, std::string_view sha256);
  /// Of an item that was admitted.
  absl::StatusOr<EncodedImage> EncodeAdmitted(ImportItem item, const std::string& sha256);
  void Release(std::string_view image_id, std::string_view sha256);
  /// Counts an item as encoded; nullopt if it was answered already.
  void Enqueue(std::optional<Waiting> waiting);
  /// Adds to a group and gives its images if it is full now.
  Images AddToGroupLocked(Waiting waiting) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// What must not wait any longer.
  Images TakeDueLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// The fullest groups, until at most `bytes_left` of files wait.
  Images TakeFullestLocked(uint64_t bytes_left) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// Splits `images` into segments and commits each in the pool.
  void Partition(Images images);
  /// Writes a segment, or delta rows if `images` are too few.
  void Commit(Images images);
  void Report(ImportOutcome outcome, uint64_t bytes);

  const ImportContext context_;
  const ImportOptions options_;
  const uint32_t dataset_id_;
  const Acknowledge acknowledge_;

  mutable absl::Mutex mutex_;
  std::map<ClusterKey, Group> open_ ABSL_GUARDED_BY(mutex_);
  uint64_t waiting_bytes_ ABSL_GUARDED_BY(mutex_) = 0;  // of the files in open_
  uint64_t bytes_in_flight_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t unacknowledged_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t encoding_ ABSL_GUARDED_BY(mutex_) = 0;
  std::chrono::steady_clock::time_point last_activity_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> done_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace freqstore
