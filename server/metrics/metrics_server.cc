#include "server/metrics/metrics_server.h"

#include <exception>
#include <utility>

#include <prometheus/exposer.h>

#include "fmt/format.h"
#include "server/metrics/server_metrics.h"
#include "storage/base/status.h"

namespace freqstore {

class MetricsServer::Impl {
 public:
  Impl(const std::string& listen, const ServiceContext* services)
      : exposer_(listen, kThreads), metrics_(std::make_shared<ServerMetrics>(services)) {
    exposer_.RegisterCollectable(metrics_);
  }

  int port() const { return exposer_.GetListeningPorts().front(); }

 private:
  static constexpr size_t kThreads = 1;

  prometheus::Exposer exposer_;
  std::shared_ptr<ServerMetrics> metrics_;  // the exposer keeps only a weak pointer
};

MetricsServer::MetricsServer(std::unique_ptr<Impl> impl, std::string address)
    : impl_(std::move(impl)), address_(std::move(address)) {}

MetricsServer::~MetricsServer() = default;

absl::StatusOr<std::unique_ptr<MetricsServer>> MetricsServer::Start(const std::string& listen,
                                                                    const ServiceContext* services) {
  try {
    auto impl = std::make_unique<Impl>(listen, services);
    std::string address = fmt::format("{}:{}", listen.substr(0, listen.rfind(':')), impl->port());
    return std::unique_ptr<MetricsServer>(new MetricsServer(std::move(impl), std::move(address)));
  } catch (const std::exception& error) {
    return MakeError(
        absl::StatusCode::kUnavailable, "CANNOT_LISTEN",
        fmt::format("cannot serve metrics on {}: {}; choose another address with --metrics-listen", listen,
                    error.what()));
  }
}

}  // namespace freqstore
