// What a server tells a Prometheus that asks.
#pragma once

#include <vector>

#include <prometheus/collectable.h>

#include "server/rpc/service_context.h"

namespace freqstore {

/// Reads everything at the moment it is asked. Names and meanings: README.md, "Metrics". Thread-safe.
class ServerMetrics final : public prometheus::Collectable {
 public:
  /// Outlives it.
  explicit ServerMetrics(const ServiceContext* services) : services_(services) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const ServiceContext* const services_;
};

}  // namespace freqstore
