// One ExportImages call.
#pragma once

#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "freqstore/v1/image.grpc.pb.h"
#include "server/exec/export_job.h"
#include "server/rpc/service_context.h"

namespace freqstore {

/// Sends files as they are rebuilt; a slow client slows its own export only. Owns itself until the call ends.
class ExportStream final : public grpc::ServerWriteReactor<v1::ExportImagesResponse>,
                           public std::enable_shared_from_this<ExportStream> {
 public:
  static ExportStream* Start(ServiceContext* services, const v1::ExportImagesRequest* request);
  ExportStream(ServiceContext* services, const v1::ExportImagesRequest* request)
      : services_(services), slot_(services, &services->active_queries), request_(request) {}

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  enum class State : uint8_t {
    kBusy,     ///< the job is being started, or a message is being made or sent
    kWaiting,  ///< for a file
    kEnded,
  };

  void Begin();
  /// Sends the next file, or waits for it. Called by one thread at a time: whoever made the state busy.
  void Pump();
  void OnFile();
  void Send(ExportedImage image);

  ServiceContext* const services_;
  const StreamSlot slot_;
  const v1::ExportImagesRequest* const request_;  // lives until OnDone
  std::shared_ptr<ExportStream> self_;
  std::unique_ptr<ExportJob> job_;
  v1::ExportImagesResponse response_;

  absl::Mutex mutex_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kBusy;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace freqstore
