// A server that takes images and breaks streams as it is told to.
#pragma once

#include <atomic>
#include <climits>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <grpcpp/grpcpp.h>

#include "freqstore/v1/dataset.grpc.pb.h"
#include "freqstore/v1/image.grpc.pb.h"

namespace freqstore::testutil {

/// A row's or call's status with a reason, as the server makes them.
google::rpc::Status RowStatus(grpc::StatusCode code, const std::string& reason);
grpc::Status CallStatus(grpc::StatusCode code, const std::string& reason);

/// What becomes of one import stream.
struct StreamPlan {
  int messages = INT_MAX;  ///< it ends after so many, or when the client closes it
  int answered = INT_MAX;  ///< of them; the rest is stored without a word
  grpc::Status end = grpc::Status::OK;
};

class FakeImages final : public v1::ImageService::Service {
 public:
  struct Stored {
    std::string file;
    std::map<std::string, v1::AttributeValue> attributes;
    int times = 0;
  };

  /// Of the next streams; those after them are as StreamPlan is by default.
  void Plan(std::deque<StreamPlan> plans);
  /// How an image fares in its next tries, before it is stored.
  void Refuse(const std::string& image_id, std::deque<google::rpc::Status> statuses);

  std::map<std::string, Stored> stored() const;
  /// The image_ids that each stream brought, in order.
  std::vector<std::vector<std::string>> streams() const;

  using Stream = grpc::ServerReaderWriter<v1::ImportImagesResponse, v1::ImportImagesRequest>;
  grpc::Status ImportImages(grpc::ServerContext* context, Stream* stream) override;

 private:
  v1::ImportAcknowledgement Take(const v1::ImportImagesRequest& request);

  mutable std::mutex mutex_;
  std::deque<StreamPlan> plans_;
  std::map<std::string, std::deque<google::rpc::Status>> refusals_;
  std::map<std::string, Stored> stored_;
  std::vector<std::vector<std::string>> streams_;
};

/// Answers UNAVAILABLE a number of times.
class FakeDatasets final : public v1::DatasetService::Service {
 public:
  void FailNext(int calls) { failures_left_ = calls; }
  int calls() const { return calls_; }

  grpc::Status GetDataset(grpc::ServerContext* context, const v1::GetDatasetRequest* request,
                          v1::Dataset* response) override;
  grpc::Status CreateDataset(grpc::ServerContext* context, const v1::CreateDatasetRequest* request,
                             v1::Dataset* response) override;

 private:
  grpc::Status Answer();

  std::atomic<int> failures_left_ = 0;
  std::atomic<int> calls_ = 0;
};

/// Listens on a loopback port.
class FakeServer {
 public:
  FakeServer() { Start(0); }
  ~FakeServer() { Stop(); }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  FakeImages& images() { return images_; }
  FakeDatasets& datasets() { return datasets_; }

  /// Cuts every connection.
  void Stop();
  /// On the port it had.
  void StartAgain() { Start(port_); }

 private:
  void Start(int port);

  FakeImages images_;
  FakeDatasets datasets_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace freqstore::testutil
