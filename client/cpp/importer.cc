#include "client/cpp/importer.h"

#include <utility>

namespace freqstore::client {

Importer::Importer(Client& client, const std::string& dataset, OnAcknowledged on_acknowledged,
                   v1::OnDamage on_damage, uint64_t bytes_in_flight_max)
    : on_acknowledged_(std::move(on_acknowledged)), bytes_in_flight_max_(bytes_in_flight_max) {
  stream_ = client.images().ImportImages(&context_);
  request_.set_dataset(DatasetName(dataset));
  request_.set_on_damage(on_damage);
  reader_ = std::thread([this] { ReadAcknowledgements(); });
}

Importer::~Importer() {
  if (finished_) return;
  context_.TryCancel();
  Finish();
}

bool Importer::Send(std::string image_id, std::string file) {
  const uint64_t bytes = file.size();
  const uint64_t sequence = next_sequence_++;
  {
    std::unique_lock lock(mutex_);
    answered_.wait(lock, [&] {
      return broken_ || bytes_in_flight_ == 0 || bytes_in_flight_ + bytes <= bytes_in_flight_max_;
    });
    if (broken_) return false;
    bytes_in_flight_ += bytes;
    unanswered_bytes_.emplace(sequence, bytes);
  }
  request_.set_sequence(sequence);
  request_.set_image_id(std::move(image_id));
  request_.set_file(std::move(file));
  const bool sent = stream_->Write(request_);
  request_.clear_dataset();
  request_.clear_on_damage();
  return sent;
}

grpc::Status Importer::Finish() {
  finished_ = true;
  stream_->WritesDone();
  reader_.join();
  grpc::Status status = stream_->Finish();
  if (status.ok() && !unanswered_bytes_.empty()) {
    return {grpc::StatusCode::INTERNAL, "the server ended the import without answering every image"};
  }
  return status;
}

void Importer::ReadAcknowledgements() {
  v1::ImportImagesResponse response;
  while (stream_->Read(&response)) {
    for (const v1::ImportAcknowledgement& acknowledgement : response.acknowledgements()) {
      on_acknowledged_(acknowledgement);
    }
    const std::lock_guard lock(mutex_);
    for (const v1::ImportAcknowledgement& acknowledgement : response.acknowledgements()) {
      const auto found = unanswered_bytes_.find(acknowledgement.sequence());
      if (found == unanswered_bytes_.end()) continue;
      bytes_in_flight_ -= found->second;
      unanswered_bytes_.erase(found);
    }
    answered_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  broken_ = true;
  answered_.notify_all();
}

}  // namespace freqstore::client
