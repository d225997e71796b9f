// Builds metric families.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <prometheus/metric_family.h>

namespace freqstore {

using MetricLabels = std::vector<std::pair<std::string, std::string>>;

/// Collects values under their family. Not thread-safe.
class MetricFamilies {
 public:
  /// `name` without the prefix "freqstore_"; `help` is that of the first value of a family.
  void Gauge(const std::string& name, const std::string& help, double value, const MetricLabels& labels = {});
  /// Names of counters end in "_total".
  void Counter(const std::string& name, const std::string& help, double value,
               const MetricLabels& labels = {});

  std::vector<prometheus::MetricFamily> Take() { return std::move(families_); }

 private:
  prometheus::ClientMetric& Add(const std::string& name, const std::string& help, prometheus::MetricType type,
                                const MetricLabels& labels);

  std::vector<prometheus::MetricFamily> families_;
};

}  // namespace freqstore
