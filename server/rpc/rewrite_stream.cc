#include "server/rpc/rewrite_stream.h"

#include <optional>
#include <string>

#include "server/rpc/layout_conversion.h"
#include "server/rpc/resource_name.h"
#include "storage/base/status.h"

namespace freqstore {

RewriteStream* RewriteStream::Start(ServiceContext* services, const v1::RewriteDatasetRequest* request) {
  auto stream = std::make_shared<RewriteStream>(services, request);
  stream->self_ = stream;
  services->rpc_threads->Submit([stream] { stream->Begin(); });
  return stream.get();
}

void RewriteStream::Begin() {
  const absl::Status status = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string dataset, ParseDatasetName(request_->dataset()));
    ASSIGN_OR_RETURN(const Layout layout, LayoutFromProto(request_->layout()));
    ASSIGN_OR_RETURN(job_, services_->engine->Rewrite(dataset, layout));
    return absl::OkStatus();
  }();
  if (!status.ok()) {
    Finish(ToGrpc(status));
    return;
  }
  Pump();
}

void RewriteStream::Pump() {
  std::optional<RewriteProgress> progress;
  {
    absl::MutexLock lock(&mutex_);
    if (!cancelled_) {
      progress = job_->Poll(seen_, [self = weak_from_this()] {
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
    Finish(grpc::Status::CANCELLED);
  }
}

void RewriteStream::OnProgress() {
  {
    absl::MutexLock lock(&mutex_);
    if (state_ != State::kWaiting) return;
    state_ = State::kBusy;
  }
  Pump();
}

void RewriteStream::Send(const RewriteProgress& progress) {
  if (!progress.status.ok()) {
    Finish(ToGrpc(progress.status));
    return;
  }
  response_.set_segments_total(progress.segments_total);
  response_.set_segments_done(progress.segments_done);
  response_.set_images_total(progress.images_total);
  response_.set_images_done(progress.images_done);
  response_.set_bytes_before(progress.bytes_before);
  response_.set_bytes_after(progress.bytes_after);
  response_.mutable_damaged()->Assign(progress.damaged.begin(), progress.damaged.end());
  if (progress.ended) {
    StartWriteAndFinish(&response_, {}, grpc::Status::OK);
  } else {
    StartWrite(&response_);
  }
}

void RewriteStream::OnWriteDone(bool ok) {
  if (ok) {
    Pump();
  } else {
    Finish(grpc::Status::CANCELLED);
  }
}

void RewriteStream::OnCancel() {
  {
    absl::MutexLock lock(&mutex_);
    cancelled_ = true;
    if (state_ != State::kWaiting) return;  // who is busy ends the call
    state_ = State::kEnded;
  }
  Finish(grpc::Status::CANCELLED);
}

}  // namespace freqstore
