// One server-streaming query call.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/rpc/query_builder.h"
#include "server/rpc/query_conversion.h"
#include "server/rpc/service_context.h"
#include "storage/base/status.h"

namespace freqstore {

/// Plans and starts a query off gRPC's threads, then writes rows as they come: the next message is made when
/// the last has been taken by the transport, so a slow client slows its own query only. Owns itself until the
/// call ends.
///
/// Query: InferQuery or ScanQuery. `add(query, row, response)` puts a row into a message.
template <typename Query, typename Request, typename Response, typename AddRow>
class RowStream final : public grpc::ServerWriteReactor<Response>,
                        public std::enable_shared_from_this<RowStream<Query, Request, Response, AddRow>> {
  using Queue = typename Query::Queue;

 public:
  static RowStream* Start(ServiceContext* services, const Request* request, AddRow add_row) {
    auto stream = std::make_shared<RowStream>(services, request, std::move(add_row));
    stream->self_ = stream;
    services->rpc_threads->Submit([stream] { stream->Begin(); });
    return stream.get();
  }

  RowStream(ServiceContext* services, const Request* request, AddRow add_row)
      : services_(services),
        slot_(services, &services->active_queries),
        request_(request),
        add_row_(std::move(add_row)) {}

  void OnWriteDone(bool ok) override {
    running_.counters->send_ns +=
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - write_start_)
            .count();
    in_transport_ = {};
    running_.pipeline->OnOutputDrained();
    if (!ok) {
      End(grpc::Status::CANCELLED);
      return;
    }
    Pump();
  }

  void OnCancel() override {
    {
      absl::MutexLock lock(&mutex_);
      cancelled_ = true;
      // While a write is out, or the query is being planned, those end the call.
      if (state_ != State::kWaiting) return;
      state_ = State::kEnded;
    }
    End(grpc::Status::CANCELLED);
  }

  void OnDone() override { self_.reset(); }

 private:
  enum class State : uint8_t {
    kBusy,     ///< planning, or a message is being made or sent
    kWaiting,  ///< for rows
    kEnded,
  };

  void Begin() {
    const absl::Status status = [&]() -> absl::Status {
      if (!slot_.ok()) return StreamLimitError(services_->limits);
      ASSIGN_OR_RETURN(query_, BuildQuery(*services_, *request_));
      running_ = StartQuery(*services_, query_);
      return absl::OkStatus();
    }();
    if (!status.ok()) {
      this->Finish(ToGrpc(status));
      return;
    }
    Pump();
  }

  /// Sends what is there, or waits for more. Called by one thread at a time: whoever made the state busy.
  void Pump() {
    constexpr size_t kRowsPerMessage = 64;
    constexpr uint64_t kBytesPerMessage = uint64_t{1} << 20;
    typename Queue::Taken taken;
    {
      absl::MutexLock lock(&mutex_);
      if (!cancelled_) {
        taken = running_.queue->Take(kRowsPerMessage, kBytesPerMessage, [self = this->weak_from_this()] {
          if (const auto stream = self.lock()) stream->OnRows();
        });
        if (taken.rows.empty() && !taken.ended) {
          state_ = State::kWaiting;
          return;
        }
      }
      state_ = State::kBusy;
      if (cancelled_) state_ = State::kEnded;
    }
    if (taken.rows.empty() && !taken.ended) {
      End(grpc::Status::CANCELLED);
      return;
    }
    Send(std::move(taken));
  }

  void OnRows() {
    {
      absl::MutexLock lock(&mutex_);
      if (state_ != State::kWaiting) return;
      state_ = State::kBusy;
    }
    Pump();
  }

  void Send(typename Queue::Taken taken) {
    write_start_ = std::chrono::steady_clock::now();
    response_.Clear();
    for (auto& row : taken.rows) add_row_(query_, std::move(row), response_);
    in_transport_ = std::move(taken.hold);
    running_.counters->result_bytes += response_.ByteSizeLong();
    if (!taken.ended) {
      this->StartWrite(&response_);
      return;
    }
    services_->costs->Observe(running_.pipeline->planned_work(), running_.counters->ToMeasures());
    ToProto(*running_.counters, *response_.mutable_stats());
    this->StartWriteAndFinish(&response_, {}, grpc::Status::OK);
  }

  void End(const grpc::Status& status) {
    running_.pipeline->Cancel();
    this->Finish(status);
  }

  ServiceContext* const services_;
  const StreamSlot slot_;
  const Request* const request_;  // lives until OnDone
  const AddRow add_row_;
  std::shared_ptr<RowStream> self_;
  Query query_;
  RunningQuery<Queue> running_;
  Response response_;
  BudgetHold in_transport_;
  std::chrono::steady_clock::time_point write_start_;

  absl::Mutex mutex_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kBusy;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace freqstore
