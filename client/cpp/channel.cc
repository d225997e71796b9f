#include "client/cpp/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

namespace freqstore::client {
namespace {

/// Idempotent calls. Not: CreateDataset, DeleteDataset, RegisterModel, DeleteModel, and streams.
constexpr const char* kServiceConfig = R"({
  "methodConfig": [{
    "name": [
      {"service": "freqstore.v1.DatasetService", "method": "GetDataset"},
      {"service": "freqstore.v1.DatasetService", "method": "ListDatasets"},
      {"service": "freqstore.v1.DatasetService", "method": "ListSegments"},
      {"service": "freqstore.v1.DatasetService", "method": "ListDeletions"},
      {"service": "freqstore.v1.ImageService", "method": "GetImage"},
      {"service": "freqstore.v1.ImageService", "method": "GetImageFile"},
      {"service": "freqstore.v1.ImageService", "method": "ListImages"},
      {"service": "freqstore.v1.ImageService", "method": "UpdateAttributes"},
      {"service": "freqstore.v1.ImageService", "method": "DeleteImages"},
      {"service": "freqstore.v1.ModelService", "method": "GetModel"},
      {"service": "freqstore.v1.ModelService", "method": "ListModels"},
      {"service": "freqstore.v1.QueryService", "method": "Explain"},
      {"service": "freqstore.v1.AdminService", "method": "GetStatus"},
      {"service": "freqstore.v1.AdminService", "method": "Flush"},
      {"service": "freqstore.v1.AdminService", "method": "CompactDataset"}
    ],
    "retryPolicy": {
      "maxAttempts": 4,
      "initialBackoff": "0.1s",
      "maxBackoff": "1s",
      "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE"]
    }
  }]
})";

constexpr int kReconnectDelayFirstMs = 100;
constexpr int kReconnectDelayMaxMs = 5'000;
/// Servers take a ping in five minutes from a client that sends nothing else, and hang up on more.
constexpr int kKeepaliveMs = 310'000;
/// Also for data that the other side does not confirm.
constexpr int kKeepaliveTimeoutMs = 20'000;

}  // namespace

std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);  // the server bounds what it sends; a full-size row may be large
  arguments.SetServiceConfigJSON(kServiceConfig);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kReconnectDelayFirstMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kReconnectDelayMaxMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace freqstore::client
