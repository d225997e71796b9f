// The server: a storage engine, workers and gRPC services, put together.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/options.h"

namespace freqstore {

/// Serves from Start until Shutdown. Thread-safe.
class Server {
 public:
  static absl::StatusOr<std::unique_ptr<Server>> Start(ServerOptions options);
  /// Shuts down if that has not been done.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// "127.0.0.1:8001", with the port that was taken.
  const std::string& address() const;
  /// The same of the metrics; empty if there are none.
  std::string metrics_address() const;

  /// Reports NOT_SERVING, refuses new calls and waits for running ones, at most options.drain_seconds; then
  /// cancels.
  void Shutdown();

 private:
  Server();
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace freqstore
