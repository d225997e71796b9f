// Serves metrics over HTTP.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/rpc/service_context.h"

namespace freqstore {

/// Answers GET /metrics in the text format of Prometheus until it is destroyed.
class MetricsServer {
 public:
  /// `listen` is "address:port"; port 0 takes a free one. `services` outlive it. UNAVAILABLE (CANNOT_LISTEN).
  static absl::StatusOr<std::unique_ptr<MetricsServer>> Start(const std::string& listen,
                                                              const ServiceContext* services);
  ~MetricsServer();

  /// "address:port", with the port that was taken.
  const std::string& address() const { return address_; }

 private:
  class Impl;
  MetricsServer(std::unique_ptr<Impl> impl, std::string address);

  std::unique_ptr<Impl> impl_;
  std::string address_;
};

}  // namespace freqstore
