#include "server/rpc/alarms.h"

#include <chrono>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {

std::vector<Alarm> CurrentAlarms(StorageEngine& engine) {
  std::vector<Alarm> alarms;
  const KvHealth health = engine.kv().health();
  if (!health.cause.ok()) {
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(health.since.time_since_epoch());
    alarms.push_back({ReasonOf(health.cause), std::string(MessageOf(health.cause)), since.count()});
  }
  for (const storage::v1::DatasetMeta& dataset : engine.catalog().Datasets()) {
    const auto view = engine.catalog().View(dataset.name());
    if (!view.ok()) continue;  // deleted meanwhile
    for (const SegmentEntry& segment : *view->segments) {
      if (segment.state->quarantine.empty()) continue;
      alarms.push_back({"SEGMENT_QUARANTINED",
                        fmt::format("dataset {}, segment {} with {} images: {}", dataset.name(), segment.id(),
                                    segment.meta->images(), segment.state->quarantine)});
    }
  }
  return alarms;
}

}  // namespace freqstore
