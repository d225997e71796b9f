#include "client/cpp/client.h"

#include <utility>

#include "client/cpp/channel.h"

namespace freqstore::client {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;

}  // namespace

Client::Client(std::string address) : address_(std::move(address)) {
  const std::shared_ptr<grpc::Channel> channel = MakeChannel(address_);
  datasets_ = v1::DatasetService::NewStub(channel);
  images_ = v1::ImageService::NewStub(channel);
  models_ = v1::ModelService::NewStub(channel);
  queries_ = v1::QueryService::NewStub(channel);
  admin_ = v1::AdminService::NewStub(channel);
}

grpc::Status Client::RegisterModel(const v1::ModelSpec& spec, const std::string& file,
                                   v1::Model& registered) {
  grpc::ClientContext context;
  const auto writer = models_->RegisterModel(&context, &registered);
  v1::RegisterModelRequest request;
  *request.mutable_spec() = spec;
  bool open = writer->Write(request);
  for (size_t offset = 0; open && offset < file.size(); offset += kChunkBytes) {
    request.set_chunk(file.substr(offset, kChunkBytes));
    open = writer->Write(request);
  }
  writer->WritesDone();
  return writer->Finish();
}

std::string DatasetName(const std::string& dataset) {
  return "datasets/" + dataset;
}
std::string ImageName(const std::string& dataset, const std::string& image_id) {
  return DatasetName(dataset) + "/images/" + image_id;
}
std::string ModelName(const std::string& model) {
  return "models/" + model;
}

}  // namespace freqstore::client
