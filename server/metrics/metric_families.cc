#include "server/metrics/metric_families.h"

#include <algorithm>

namespace freqstore {

void MetricFamilies::Gauge(const std::string& name, const std::string& help, double value,
                           const MetricLabels& labels) {
  Add(name, help, prometheus::MetricType::Gauge, labels).gauge.value = value;
}

void MetricFamilies::Counter(const std::string& name, const std::string& help, double value,
                             const MetricLabels& labels) {
  Add(name, help, prometheus::MetricType::Counter, labels).counter.value = value;
}

prometheus::ClientMetric& MetricFamilies::Add(const std::string& name, const std::string& help,
                                              prometheus::MetricType type, const MetricLabels& labels) {
  const std::string full_name = "freqstore_" + name;
  auto family = std::ranges::find(families_, full_name, &prometheus::MetricFamily::name);
  if (family == families_.end()) {
    families_.push_back({full_name, help, type, {}});
    family = families_.end() - 1;
  }
  prometheus::ClientMetric& metric = family->metric.emplace_back();
  for (const auto& [label, value] : labels) metric.label.push_back({label, value});
  return metric;
}

}  // namespace freqstore
