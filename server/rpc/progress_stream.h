// A call that watches a job.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "server/rpc/service_context.h"
#include "server/rpc/status_conversion.h"
#include "storage/engine/progress_job.h"

namespace freqstore {

/// Sends the progress of a job until it ends. A slow client misses steps, never the last. Owns itself until
/// the call ends; the job goes on without it.
template <typename Progress, typename Response>
class ProgressStream final : public grpc::ServerWriteReactor<Response>,
                             public std::enable_shared_from_this<ProgressStream<Progress, Response>> {
 public:
  using Open = std::function<absl::StatusOr<std::shared_ptr<ProgressJob<Progress>>>()>;
  using Fill = std::function<void(const Progress& progress, Response& response)>;

  /// `open` starts the job or attaches to it, off gRPC's threads.
  static ProgressStream* Start(ServiceContext* services, Open open, Fill fill) {
    auto stream = std::make_shared<ProgressStream>(std::move(fill));
    stream->self_ = stream;
    services->rpc_threads->Submit([stream, open = std::move(open)] { stream->Begin(open()); });
    return stream.get();
  }
  explicit ProgressStream(Fill fill) : fill_(std::move(fill)) {}

  void OnWriteDone(bool ok) override {
    if (ok) {
      Pump();
    } else {
      this->Finish(grpc::Status::CANCELLED);
    }
  }

  void OnCancel() override {
    {
      absl::MutexLock lock(&mutex_);
      cancelled_ = true;
      if (state_ != State::kWaiting) return;  // who is busy ends the call
      state_ = State::kEnded;
    }
    this->Finish(grpc::Status::CANCELLED);
  }

  void OnDone() override { self_.reset(); }

 private:
  enum class State : uint8_t {
    kBusy,     ///< the job is being looked up, or a message is being made or sent
    kWaiting,  ///< for progress
    kEnded,
  };

  void Begin(absl::StatusOr<std::shared_ptr<ProgressJob<Progress>>> job) {
    if (!job.ok()) {
      this->Finish(ToGrpc(job.status()));
      return;
    }
    job_ = *std::move(job);
    Pump();
  }

  /// Sends what is new, or waits for it. Called by one thread at a time: whoever made the state busy.
  void Pump() {
    std::optional<Progress> progress;
    {
      absl::MutexLock lock(&mutex_);
      if (!cancelled_) {
        progress = job_->Poll(seen_, [self = this->weak_from_this()] {
          if (const auto stream = self.lock()) stream->OnProgress();
        });
        if (!progress) {
          state_ = State::kWaiting;
          return;
        }
      }
      state_ = cancelled_ ? State::kEnded : State::kBusy;
    }
    if (progress) {
      Send(*progress);
    } else {
      this->Finish(grpc::Status::CANCELLED);
    }
  }

  void OnProgress() {
    {
      absl::MutexLock lock(&mutex_);
      if (state_ != State::kWaiting) return;
      state_ = State::kBusy;
    }
    Pump();
  }

  void Send(const Progress& progress) {
    if (!progress.status.ok()) {
      this->Finish(ToGrpc(progress.status));
      return;
    }
    response_.Clear();
    fill_(progress, response_);
    if (progress.ended) {
      this->StartWriteAndFinish(&response_, {}, grpc::Status::OK);
    } else {
      this->StartWrite(&response_);
    }
  }

  const Fill fill_;
  std::shared_ptr<ProgressStream> self_;
  std::shared_ptr<ProgressJob<Progress>> job_;
  uint64_t seen_ = 0;
  Response response_;

  absl::Mutex mutex_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kBusy;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace freqstore
