// One RewriteDataset call.
#pragma once

#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "freqstore/v1/admin.grpc.pb.h"
#include "server/rpc/service_context.h"
#include "storage/engine/rewriter.h"

namespace freqstore {

/// Watches a rewrite. A slow client misses steps, never the last. Owns itself until the call ends, the
/// rewrite goes on without it.
class RewriteStream final : public grpc::ServerWriteReactor<v1::RewriteProgress>,
                            public std::enable_shared_from_this<RewriteStream> {
 public:
  static RewriteStream* Start(ServiceContext* services, const v1::RewriteDatasetRequest* request);
  RewriteStream(ServiceContext* services, const v1::RewriteDatasetRequest* request)
      : services_(services), request_(request) {}

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override { self_.reset(); }

 private:
  enum class State : uint8_t {
    kBusy,     ///< the rewrite is being looked up, or a message is being made or sent
    kWaiting,  ///< for progress
    kEnded,
  };

  void Begin();
  /// Sends what is new, or waits for it. Called by one thread at a time: whoever made the state busy.
  void Pump();
  void OnProgress();
  void Send(const RewriteProgress& progress);

  ServiceContext* const services_;
  const v1::RewriteDatasetRequest* const request_;  // lives until OnDone
  std::shared_ptr<RewriteStream> self_;
  std::shared_ptr<RewriteJob> job_;
  uint64_t seen_ = 0;
  v1::RewriteProgress response_;

  absl::Mutex mutex_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kBusy;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace freqstore
