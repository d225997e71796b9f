// One ImportImages call.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "freqstore/v1/image.grpc.pb.h"
#include "server/rpc/service_context.h"

namespace freqstore {

/// Reads while the session has room, answers as images become durable. What the session has taken is stored
/// even if the client goes away before its answer: a cancelled call ends like one whose requests have ended.
/// Owns itself until then.
class ImportStream final : public grpc::ServerBidiReactor<v1::ImportImagesRequest, v1::ImportImagesResponse>,
                           public std::enable_shared_from_this<ImportStream> {
 public:
  static ImportStream* Start(ServiceContext* services);
  explicit ImportStream(ServiceContext* services);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone() override;

 private:
  absl::Status TakeRequest();
  void EndReading();
  void Acknowledge(ImportOutcome outcome);
  // Starts the next write, or read, or ends the call: whatever the state asks for.
  void Advance();

  ServiceContext* const services_;
  const StreamSlot slot_;
  std::shared_ptr<ImportStream> self_;
  std::shared_ptr<ImportSession> session_;  // set by the first request, before anything can answer it
  v1::ImportImagesRequest request_;
  v1::ImportImagesResponse response_;

  absl::Mutex mutex_;
  std::vector<ImportOutcome> outbox_ ABSL_GUARDED_BY(mutex_);
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  bool read_closed_ ABSL_GUARDED_BY(mutex_) = false;   // no more requests come
  bool session_done_ ABSL_GUARDED_BY(mutex_) = false;  // no more outcomes come
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace freqstore
