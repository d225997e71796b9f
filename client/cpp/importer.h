// Sends images and hears what became of each.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <google/protobuf/map.h>

#include "client/cpp/backoff.h"
#include "client/cpp/client.h"
#include "client/cpp/import_queue.h"

namespace freqstore::client {

struct ImporterOptions {
  v1::OnDamage on_damage = v1::ON_DAMAGE_KEEP;
  /// Bounds the files that were taken and not yet answered. They are kept in memory, to be sent again.
  uint64_t bytes_in_flight_max = uint64_t{128} << 20;
  RetryPolicy retry;
  /// Called before each wait, with what it waits for to pass.
  std::function<void(const grpc::Status& cause)> on_retry;
};

/// An import that outlives its connection: when the stream breaks, it makes another and sends again, in
/// order, what was not answered. Images that the server cannot store at the moment (DISK_FULL,
/// STORE_READ_ONLY and others with UNAVAILABLE) are sent again later, too. Every image is answered once. One
/// that an earlier stream had stored without a word is answered as imported.
///
/// Send and Finish are for one thread; callbacks come on others, never two acknowledgements at a time.
class Importer {
 public:
  using Attributes = google::protobuf::Map<std::string, v1::AttributeValue>;
  using OnAcknowledged = std::function<void(const v1::ImportAcknowledgement&)>;

  /// Connects when there is something to send. `client` outlives it.
  Importer(Client& client, const std::string& dataset, OnAcknowledged on_acknowledged,
           ImporterOptions options = {});
  /// Without Finish: drops what was not answered.
  ~Importer();
  Importer(const Importer&) = delete;
  Importer& operator=(const Importer&) = delete;

  /// Takes an image; waits while too much is in flight. All text is UTF-8. False once the import has failed:
  /// Finish says why.
  bool Send(std::string image_id, std::string file, Attributes attributes = {});

  /// Waits for the remaining answers. OK if every image was answered; otherwise why the import ended early,
  /// for example with the last failure when it went on for `retry.patience`.
  grpc::Status Finish();

 private:
  using Stream = grpc::ClientReaderWriter<v1::ImportImagesRequest, v1::ImportImagesResponse>;

  void Run();
  grpc::Status RunStream();
  void SendQueue(Stream& stream);
  void ReadAcknowledgements(Stream& stream);
  /// Plans the next try. False if there is none: status_ is set.
  bool PlanRetryLocked(const grpc::Status& cause);
  /// What is to be done now that a stream has ended.
  enum class Next : uint8_t {
    kEnd,    ///< nothing: status_ is set
    kGoOn,   ///< make another if there is more to send
    kRetry,  ///< the same after a wait, because it broke
  };
  Next AfterStreamLocked(const grpc::Status& status);

  Client& client_;
  const std::string dataset_;
  const OnAcknowledged on_acknowledged_;
  const ImporterOptions options_;
  uint64_t next_sequence_ = 1;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Under mutex_:
  ImportQueue queue_;
  Backoff backoff_;
  std::optional<Backoff::Time> retry_at_;
  bool finishing_ = false;                  // no more images come
  bool ended_ = false;                      // nothing is sent or awaited any more; status_ says why
  bool closed_ = false;                     // this side has ended the stream at hand first
  bool stream_ended_ = false;               // the server sends nothing more on the stream at hand
  grpc::ClientContext* context_ = nullptr;  // of the stream at hand
  grpc::Status status_;

  std::thread thread_;
};

}  // namespace freqstore::client
