#include "client/cpp/importer.h"

#include <memory>
#include <utility>
#include <vector>

#include "client/cpp/transient.h"
#include "fmt/format.h"

namespace freqstore::client {
namespace {

using std::chrono::steady_clock;

grpc::Status ToGrpc(const google::rpc::Status& status) {
  return {static_cast<grpc::StatusCode>(status.code()), status.message(), status.SerializeAsString()};
}

grpc::Status GaveUp(const grpc::Status& cause, const RetryPolicy& retry) {
  if (retry.patience.count() == 0) return cause;
  return {cause.error_code(),
          fmt::format("{} (gave up after {:g} s without progress)", cause.error_message(),
                      std::chrono::duration<double>(retry.patience).count()),
          cause.error_details()};
}

}  // namespace

Importer::Importer(Client& client, const std::string& dataset, OnAcknowledged on_acknowledged,
                   ImporterOptions options)
    : client_(client),
      dataset_(DatasetName(dataset)),
      on_acknowledged_(std::move(on_acknowledged)),
      options_(std::move(options)),
      queue_(options_.retry.patience.count() > 0),
      backoff_(options_.retry),
      thread_([this] { Run(); }) {}

Importer::~Importer() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    if (context_ != nullptr) context_->TryCancel();
    changed_.notify_all();
  }
  thread_.join();
}

bool Importer::Send(std::string image_id, std::string file, Attributes attributes) {
  const uint64_t bytes = file.size();
  auto request = std::make_unique<v1::ImportImagesRequest>();
  request->set_sequence(next_sequence_++);
  request->set_image_id(std::move(image_id));
  request->set_file(std::move(file));
  *request->mutable_attributes() = std::move(attributes);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return ended_ || queue_.bytes() == 0 || queue_.bytes() + bytes <= options_.bytes_in_flight_max;
  });
  if (ended_) return false;
  queue_.Add(std::move(request));
  changed_.notify_all();
  return true;
}

grpc::Status Importer::Finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  return status_;
}

void Importer::Run() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ended_ || finishing_ || !queue_.empty(); });
      if (ended_ || queue_.empty()) break;
    }
    const grpc::Status status = RunStream();
    std::unique_lock lock(mutex_);
    const Next next = AfterStreamLocked(status);
    if (next == Next::kEnd) break;
    if (next == Next::kRetry && options_.on_retry) {
      lock.unlock();
      options_.on_retry(status);
      lock.lock();
    }
    if (retry_at_) changed_.wait_until(lock, *retry_at_, [&] { return ended_; });
    retry_at_.reset();
    queue_.Restart();
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

Importer::Next Importer::AfterStreamLocked(const grpc::Status& status) {
  if (ended_) return Next::kEnd;
  if (status.ok() && (!closed_ || queue_.has_unanswered())) {
    status_ = {grpc::StatusCode::INTERNAL, "the server ended the import without answering every image"};
    return Next::kEnd;
  }
  if (!status.ok() && !IsTransient(status)) {
    status_ = status;
    return Next::kEnd;
  }
  if (status.ok() || queue_.empty()) return Next::kGoOn;
  return PlanRetryLocked(status) ? Next::kRetry : Next::kEnd;
}

grpc::Status Importer::RunStream() {
  grpc::ClientContext context;
  const std::unique_ptr<Stream> stream = client_.images().ImportImages(&context);
  {
    const std::lock_guard lock(mutex_);
    context_ = &context;
    stream_ended_ = false;
    if (ended_) context.TryCancel();
  }
  std::thread reader([&] { ReadAcknowledgements(*stream); });
  SendQueue(*stream);
  reader.join();
  grpc::Status status = stream->Finish();
  const std::lock_guard lock(mutex_);
  context_ = nullptr;
  return status;
}

void Importer::SendQueue(Stream& stream) {
  bool is_first = true;
  std::unique_lock lock(mutex_);
  while (!ended_ && !stream_ended_ && !(finishing_ && queue_.all_sent())) {
    if (const auto request = queue_.TakeNext()) {
      lock.unlock();
      request->set_dataset(is_first ? dataset_ : std::string());
      request->set_on_damage(is_first ? options_.on_damage : v1::ON_DAMAGE_UNSPECIFIED);
      is_first = false;
      const bool sent = stream.Write(*request);
      lock.lock();
      if (!sent) break;
    } else if (retry_at_) {
      if (changed_.wait_until(lock, *retry_at_) == std::cv_status::timeout) {
        retry_at_.reset();
        queue_.TryHeldBack();
      }
    } else {
      changed_.wait(lock);
    }
  }
  closed_ = !stream_ended_;
  lock.unlock();
  stream.WritesDone();
}

void Importer::ReadAcknowledgements(Stream& stream) {
  v1::ImportImagesResponse response;
  while (stream.Read(&response)) {
    std::vector<v1::ImportAcknowledgement> answers;
    std::optional<grpc::Status> cause;
    {
      const std::lock_guard lock(mutex_);
      for (v1::ImportAcknowledgement& acknowledgement : *response.mutable_acknowledgements()) {
        const ImportQueue::Verdict verdict = queue_.Answer(acknowledgement);
        if (verdict == ImportQueue::Verdict::kFinal) {
          backoff_.Progressed();
          retry_at_.reset();
          answers.push_back(std::move(acknowledgement));
        } else if (verdict == ImportQueue::Verdict::kHeldBack && !retry_at_) {
          cause = ToGrpc(acknowledgement.status());
          if (!PlanRetryLocked(*cause)) context_->TryCancel();
        }
      }
      changed_.notify_all();
    }
    for (const v1::ImportAcknowledgement& answer : answers) on_acknowledged_(answer);
    if (cause && options_.on_retry) options_.on_retry(*cause);
  }
  const std::lock_guard lock(mutex_);
  stream_ended_ = true;
  changed_.notify_all();
}

bool Importer::PlanRetryLocked(const grpc::Status& cause) {
  const auto now = steady_clock::now();
  if (const auto delay = backoff_.Next(now)) {
    retry_at_ = now + *delay;
    return true;
  }
  status_ = GaveUp(cause, options_.retry);
  ended_ = true;
  return false;
}

}  // namespace freqstore::client
