// A connection to a Freqstore server.
#pragma once

#include <memory>
#include <string>

#include <grpcpp/grpcpp.h>

#include "freqstore/v1/admin.grpc.pb.h"
#include "freqstore/v1/dataset.grpc.pb.h"
#include "freqstore/v1/image.grpc.pb.h"
#include "freqstore/v1/model.grpc.pb.h"
#include "freqstore/v1/query.grpc.pb.h"

namespace freqstore::client {

/// One channel (see MakeChannel) and a stub of each service. Thread-safe. Connects when first used.
class Client {
 public:
  explicit Client(std::string address);

  const std::string& address() const { return address_; }
  v1::DatasetService::Stub& datasets() { return *datasets_; }
  v1::ImageService::Stub& images() { return *images_; }
  v1::ModelService::Stub& models() { return *models_; }
  v1::QueryService::Stub& queries() { return *queries_; }
  v1::AdminService::Stub& admin() { return *admin_; }

  /// Registers a model from the bytes of its ONNX file.
  grpc::Status RegisterModel(const v1::ModelSpec& spec, const std::string& file, v1::Model& registered);

 private:
  std::string address_;
  std::unique_ptr<v1::DatasetService::Stub> datasets_;
  std::unique_ptr<v1::ImageService::Stub> images_;
  std::unique_ptr<v1::ModelService::Stub> models_;
  std::unique_ptr<v1::QueryService::Stub> queries_;
  std::unique_ptr<v1::AdminService::Stub> admin_;
};

/// `datasets/{dataset}`, `datasets/{dataset}/images/{image}`, `models/{model}`.
std::string DatasetName(const std::string& dataset);
std::string ImageName(const std::string& dataset, const std::string& image_id);
std::string ModelName(const std::string& model);

}  // namespace freqstore::client
