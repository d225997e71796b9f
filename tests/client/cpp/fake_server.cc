#include "tests/client/cpp/fake_server.h"

#include <chrono>
#include <utility>

#include <catch2/catch_test_macros.hpp>

#include "google/rpc/error_details.pb.h"

namespace freqstore::testutil {

google::rpc::Status RowStatus(grpc::StatusCode code, const std::string& reason) {
  google::rpc::Status status;
  status.set_code(code);
  status.set_message("because of " + reason);
  google::rpc::ErrorInfo info;
  info.set_reason(reason);
  status.add_details()->PackFrom(info);
  return status;
}

grpc::Status CallStatus(grpc::StatusCode code, const std::string& reason) {
  const google::rpc::Status status = RowStatus(code, reason);
  return {code, status.message(), status.SerializeAsString()};
}

void FakeImages::Plan(std::deque<StreamPlan> plans) {
  const std::lock_guard lock(mutex_);
  plans_ = std::move(plans);
}

void FakeImages::Refuse(const std::string& image_id, std::deque<google::rpc::Status> statuses) {
  const std::lock_guard lock(mutex_);
  refusals_[image_id] = std::move(statuses);
}

std::map<std::string, FakeImages::Stored> FakeImages::stored() const {
  const std::lock_guard lock(mutex_);
  return stored_;
}

std::vector<std::vector<std::string>> FakeImages::streams() const {
  const std::lock_guard lock(mutex_);
  return streams_;
}

v1::ImportAcknowledgement FakeImages::Take(const v1::ImportImagesRequest& request) {
  v1::ImportAcknowledgement acknowledgement;
  acknowledgement.set_sequence(request.sequence());
  acknowledgement.set_image_id(request.image_id());
  std::deque<google::rpc::Status>& refusals = refusals_[request.image_id()];
  if (!refusals.empty()) {
    *acknowledgement.mutable_status() = refusals.front();
    refusals.pop_front();
    return acknowledgement;
  }
  const auto [found, is_new] = stored_.try_emplace(request.image_id());
  acknowledgement.set_already_present(!is_new);
  found->second.file = request.file();
  found->second.attributes = {request.attributes().begin(), request.attributes().end()};
  ++found->second.times;
  return acknowledgement;
}

grpc::Status FakeImages::ImportImages(grpc::ServerContext* /*context*/, Stream* stream) {
  StreamPlan plan;
  size_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!plans_.empty()) {
      plan = plans_.front();
      plans_.pop_front();
    }
    number = streams_.size();
    streams_.emplace_back();
  }
  v1::ImportImagesRequest request;
  for (int i = 0; i < plan.messages && stream->Read(&request); ++i) {
    if (request.dataset().empty() == (i == 0)) return CallStatus(grpc::INVALID_ARGUMENT, "INVALID_NAME");
    v1::ImportImagesResponse response;
    {
      const std::lock_guard lock(mutex_);
      streams_[number].push_back(request.image_id());
      *response.add_acknowledgements() = Take(request);
    }
    if (i < plan.answered) stream->Write(response);
  }
  return plan.end;
}

grpc::Status FakeDatasets::Answer() {
  ++calls_;
  return failures_left_-- > 0 ? grpc::Status(grpc::UNAVAILABLE, "away") : grpc::Status::OK;
}

grpc::Status FakeDatasets::GetDataset(grpc::ServerContext* /*context*/, const v1::GetDatasetRequest*,
                                      v1::Dataset*) {
  return Answer();
}

grpc::Status FakeDatasets::CreateDataset(grpc::ServerContext* /*context*/, const v1::CreateDatasetRequest*,
                                         v1::Dataset*) {
  return Answer();
}

void FakeServer::Start(int port) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:" + std::to_string(port), grpc::InsecureServerCredentials(), &port_);
  builder.RegisterService(&images_);
  builder.RegisterService(&datasets_);
  server_ = builder.BuildAndStart();
  REQUIRE(server_ != nullptr);
}

void FakeServer::Stop() {
  if (server_ == nullptr) return;
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
  server_.reset();
}

}  // namespace freqstore::testutil
