#include "server/rpc/import_stream.h"

#include <utility>

#include "fmt/format.h"
#include "server/rpc/attribute_conversion.h"
#include "server/rpc/resource_name.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr size_t kAcknowledgementsPerMessage = 256;

}  // namespace

ImportStream* ImportStream::Start(ServiceContext* services) {
  auto stream = std::make_shared<ImportStream>(services);
  stream->self_ = stream;
  if (!stream->slot_.ok()) {
    absl::MutexLock lock(&stream->mutex_);
    stream->read_closed_ = stream->session_done_ = true;
    stream->status_ = StreamLimitError(services->limits);
  }
  ImportStream* raw = stream.get();
  raw->Advance();
  return raw;
}

ImportStream::ImportStream(ServiceContext* services)
    : services_(services), slot_(services, &services->active_imports) {}

void ImportStream::OnReadDone(bool ok) {
  if (!ok) {
    EndReading();
    return;
  }
  const absl::Status status = TakeRequest();
  {
    absl::MutexLock lock(&mutex_);
    reading_ = false;
    status_.Update(status);
  }
  if (status.ok()) {
    Advance();
  } else {
    EndReading();
  }
}

absl::Status ImportStream::TakeRequest() {
  if (session_ == nullptr) {
    ASSIGN_OR_RETURN(const std::string dataset, ParseDatasetName(request_.dataset()));
    const auto acknowledge = [self = weak_from_this()](ImportOutcome outcome) {
      if (const auto stream = self.lock()) stream->Acknowledge(std::move(outcome));
    };
    const OnDamage on_damage =
        request_.on_damage() == v1::ON_DAMAGE_REJECT ? OnDamage::kReject : OnDamage::kKeep;
    ASSIGN_OR_RETURN(session_, services_->engine->StartImport(dataset, acknowledge, on_damage));
  }
  const uint64_t file_bytes = request_.file().size();
  if (file_bytes > services_->limits.file_bytes_max) {
    Acknowledge({request_.sequence(), request_.image_id(),
                 MakeError(absl::StatusCode::kResourceExhausted, "LIMIT_FILE_BYTES",
                           fmt::format("the file has {} bytes, above the limit of {} (--file-bytes-max)",
                                       file_bytes, services_->limits.file_bytes_max))});
    return absl::OkStatus();
  }
  absl::StatusOr<NamedValues> attributes = FromProto(request_.attributes());
  if (!attributes.ok()) {
    Acknowledge({request_.sequence(), request_.image_id(), attributes.status()});
    return absl::OkStatus();
  }
  session_->Add({request_.sequence(), std::move(*request_.mutable_image_id()),
                 std::move(*request_.mutable_file()), *std::move(attributes)});
  return absl::OkStatus();
}

void ImportStream::EndReading() {
  {
    absl::MutexLock lock(&mutex_);
    reading_ = false;
    read_closed_ = true;
    session_done_ = session_ == nullptr;
  }
  if (session_ == nullptr) {
    Advance();
    return;
  }
  session_->Finish([self = weak_from_this()] {
    const auto stream = self.lock();
    if (stream == nullptr) return;
    {
      absl::MutexLock lock(&stream->mutex_);
      stream->session_done_ = true;
    }
    stream->Advance();
  });
}

void ImportStream::Acknowledge(ImportOutcome outcome) {
  {
    absl::MutexLock lock(&mutex_);
    outbox_.push_back(std::move(outcome));
  }
  Advance();
}

void ImportStream::Advance() {
  std::vector<ImportOutcome> outcomes;
  bool read = false;
  bool finish = false;
  absl::Status status;
  {
    absl::MutexLock lock(&mutex_);
    if (finished_) return;
    if (!writing_ && !outbox_.empty()) {
      const auto end = outbox_.begin() +
                       static_cast<std::ptrdiff_t>(std::min(outbox_.size(), kAcknowledgementsPerMessage));
      outcomes.assign(std::make_move_iterator(outbox_.begin()), std::make_move_iterator(end));
      outbox_.erase(outbox_.begin(), end);
      writing_ = true;
    }
    const bool has_room = session_ == nullptr ||
                          session_->bytes_in_flight() < services_->engine->options().import.stream_bytes_max;
    if (!reading_ && !read_closed_ && has_room) read = reading_ = true;
    if (read_closed_ && session_done_ && !writing_ && outbox_.empty()) {
      finish = finished_ = true;
      status = status_;
    }
  }
  // gRPC may run a callback inside these calls, so the lock is not held.
  if (!outcomes.empty()) {
    response_.Clear();
    for (ImportOutcome& outcome : outcomes) {
      v1::ImportAcknowledgement& acknowledgement = *response_.add_acknowledgements();
      acknowledgement.set_sequence(outcome.sequence);
      acknowledgement.set_image_id(std::move(outcome.image_id));
      if (!outcome.status.ok()) *acknowledgement.mutable_status() = ToProto(outcome.status);
      acknowledgement.set_already_present(outcome.already_present);
    }
    StartWrite(&response_);
  }
  if (read) StartRead(&request_);
  if (finish) Finish(ToGrpc(status));
}

void ImportStream::OnWriteDone(bool ok) {
  {
    absl::MutexLock lock(&mutex_);
    writing_ = false;
    if (!ok) outbox_.clear();  // nobody is there to read it
  }
  Advance();
}

void ImportStream::OnDone() {
  self_.reset();
}

}  // namespace freqstore
