// Sends images and hears what became of each.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "client/cpp/client.h"

namespace freqstore::client {

/// One import stream. Send and Finish are for one thread; acknowledgements come on another.
class Importer {
 public:
  using OnAcknowledged = std::function<void(const v1::ImportAcknowledgement&)>;

  /// `bytes_in_flight_max` bounds what was sent and not yet answered.
  Importer(Client& client, const std::string& dataset, OnAcknowledged on_acknowledged,
           v1::OnDamage on_damage = v1::ON_DAMAGE_KEEP, uint64_t bytes_in_flight_max = uint64_t{128} << 20);
  ~Importer();
  Importer(const Importer&) = delete;
  Importer& operator=(const Importer&) = delete;

  /// Sends an image; waits while too much is in flight. False once the stream has broken: Finish says why.
  bool Send(std::string image_id, std::string file);

  /// Waits for the remaining answers. OK if every image sent was answered.
  grpc::Status Finish();

 private:
  void ReadAcknowledgements();

  const OnAcknowledged on_acknowledged_;
  const uint64_t bytes_in_flight_max_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::ImportImagesRequest, v1::ImportImagesResponse>> stream_;
  v1::ImportImagesRequest request_;
  uint64_t next_sequence_ = 1;
  bool finished_ = false;

  std::mutex mutex_;
  std::condition_variable answered_;
  std::unordered_map<uint64_t, uint64_t> unanswered_bytes_;  // by sequence; under mutex_
  uint64_t bytes_in_flight_ = 0;                             // under mutex_
  bool broken_ = false;                                      // under mutex_
  std::thread reader_;
};

}  // namespace freqstore::client
