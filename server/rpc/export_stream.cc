#include "server/rpc/export_stream.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

#include "server/rpc/resource_name.h"
#include "server/rpc/selection_builder.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

/// Of one export: others shall have some as well.
constexpr unsigned kThreadsMax = 4;

}  // namespace

ExportStream* ExportStream::Start(ServiceContext* services, const v1::ExportImagesRequest* request) {
  auto stream = std::make_shared<ExportStream>(services, request);
  stream->self_ = stream;
  services->rpc_threads->Submit([stream] { stream->Begin(); });
  return stream.get();
}

void ExportStream::Begin() {
  const absl::Status status = [&]() -> absl::Status {
    if (!slot_.ok()) return StreamLimitError(services_->limits);
    ASSIGN_OR_RETURN(const std::string dataset, ParseDatasetName(request_->parent()));
    ASSIGN_OR_RETURN(auto snapshot, services_->engine->Snapshot(dataset));
    const ExportOptions options{.threads = std::min(kThreadsMax, std::thread::hardware_concurrency()),
                                .bytes_max = services_->limits.stream_output_bytes_max};
    ASSIGN_OR_RETURN(const SelectedRows selected,
                     BuildRows(*snapshot, request_->image_ids(), request_->filter()));
    job_ = std::make_unique<ExportJob>(std::move(snapshot), selected.rows, options);
    return absl::OkStatus();
  }();
  if (status.ok()) {
    Pump();
  } else {
    Finish(ToGrpc(status));
  }
}

void ExportStream::Pump() {
  ExportJob::Taken taken;
  bool is_cancelled = false;
  {
    absl::MutexLock lock(&mutex_);
    is_cancelled = cancelled_;
    if (!is_cancelled) {
      // On another thread than the job's: whoever drops the stream last joins that.
      taken = job_->Take([threads = services_->rpc_threads, self = weak_from_this()] {
        threads->Submit([self] {
          if (const auto stream = self.lock()) stream->OnFile();
        });
      });
      if (!taken.image && !taken.ended) {
        state_ = State::kWaiting;
        return;
      }
    }
    state_ = is_cancelled ? State::kEnded : State::kBusy;
  }
  if (is_cancelled) {
    Finish(grpc::Status::CANCELLED);
  } else if (taken.ended) {
    Finish(grpc::Status::OK);
  } else {
    Send(*std::move(taken.image));
  }
}

void ExportStream::OnFile() {
  {
    absl::MutexLock lock(&mutex_);
    if (state_ != State::kWaiting) return;
    state_ = State::kBusy;
  }
  Pump();
}

void ExportStream::Send(ExportedImage image) {
  response_.Clear();
  response_.set_image_id(std::move(image.image_id));
  if (image.file.ok()) {
    response_.set_file(*std::move(image.file));
  } else {
    *response_.mutable_status() = ToProto(image.file.status());
  }
  StartWrite(&response_);
}

void ExportStream::OnWriteDone(bool ok) {
  if (ok) {
    Pump();
  } else {
    Finish(grpc::Status::CANCELLED);
  }
}

void ExportStream::OnCancel() {
  {
    absl::MutexLock lock(&mutex_);
    cancelled_ = true;
    if (state_ != State::kWaiting) return;  // who is busy ends the call
    state_ = State::kEnded;
  }
  Finish(grpc::Status::CANCELLED);
}

void ExportStream::OnDone() {
  // Ending the job joins its threads, which gRPC's own must not wait for.
  services_->rpc_threads->Submit([self = std::move(self_)]() mutable { self.reset(); });
}

}  // namespace freqstore
