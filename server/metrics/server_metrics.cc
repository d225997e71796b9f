#include "server/metrics/server_metrics.h"

#include <chrono>

#include "server/metrics/metric_families.h"
#include "server/rpc/alarms.h"
#include "storage/base/resident_memory.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

double Number(uint64_t value) {
  return static_cast<double>(value);
}

void AddDataset(const DatasetStats& stats, MetricFamilies& out) {
  const MetricLabels dataset = {{"dataset", stats.meta.name()}};
  out.Gauge("images", "Images of a dataset", Number(stats.images), dataset);
  out.Gauge("delta_images", "Images that are not in a segment yet", Number(stats.delta_images), dataset);
  out.Gauge("deleted_images", "Deleted images whose bytes are still in segments",
            Number(stats.deleted_images), dataset);
  out.Gauge("segments", "Segments of a dataset", Number(stats.segments), dataset);
  out.Gauge("quarantined_segments", "Damaged segments that are not read any more",
            Number(stats.quarantined_segments), dataset);
  out.Gauge("file_bytes", "Bytes of the JPEG files as they came", Number(stats.file_bytes), dataset);
  out.Gauge("column_bytes", "Bytes of all columns in segments", Number(stats.column_bytes), dataset);
  for (const auto& [reason, kept] : stats.kept) {
    out.Gauge("kept_files", "Original files that cannot be rebuilt and are kept whole, by the reason",
              Number(kept.images),
              {{"dataset", stats.meta.name()}, {"reason", std::string(KeepReasonName(reason))}});
  }
}

void AddImports(const ImportCounters& counters, MetricFamilies& out) {
  out.Counter("imported_images_total", "Images that were acknowledged", Number(counters.images()));
  out.Counter("imported_bytes_total", "Bytes of the files of images that were acknowledged",
              Number(counters.bytes()));
  for (const auto& [reason, images] : counters.refused())
    out.Counter("refused_images_total", "Images that were refused, by the reason", Number(images),
                {{"reason", reason}});
}

void AddMaintenance(const MaintenanceCounters& counters, MetricFamilies& out) {
  out.Counter("columnized_images_total", "Images moved from the delta into segments",
              Number(counters.images_columnized));
  out.Counter("compacted_segments_total", "Segments that were rewritten without deleted images, or joined",
              Number(counters.segments_compacted));
  out.Counter("compacted_bytes_total", "Bytes that compaction read", Number(counters.bytes_compacted));
  out.Counter("maintenance_failures_total", "Times that background work failed", Number(counters.failures));
  out.Gauge("maintenance_paused", "1 if background work waits because the server is busy",
            counters.is_paused ? 1 : 0);
}

void AddStore(const KvStore& store, MetricFamilies& out) {
  for (const auto& [name, value] : store.statistics())
    out.Gauge("store_" + name, "Of the key-value store, since it opened", Number(value));
  const KvMemory memory = store.memory();
  out.Gauge("store_memory_bytes", "Memory of the key-value store, by what holds it", Number(memory.cache),
            {{"part", "cache"}});
  out.Gauge("store_memory_bytes", "", Number(memory.memtables), {{"part", "memtables"}});
  out.Gauge("store_memory_bytes", "", Number(memory.reserved), {{"part", "reserved"}});
  out.Gauge("store_memory_bytes_max", "What the store's memory is kept within", Number(memory.capacity));
}

}  // namespace

std::vector<prometheus::MetricFamily> ServerMetrics::Collect() const {
  MetricFamilies out;
  StorageEngine& engine = *services_->engine;
  out.Gauge("build_info", "Always 1; the version is a label", 1, {{"version", FREQSTORE_VERSION}});
  out.Gauge("uptime_seconds", "Since the server started",
            std::chrono::duration<double>(std::chrono::steady_clock::now() - services_->start_time).count());
  out.Gauge("resident_bytes", "Memory of the process", Number(ResidentBytes()));
  out.Gauge("active_queries", "Streams of queries and exports", services_->active_queries);
  out.Gauge("active_imports", "Streams of imports", services_->active_imports);
  out.Gauge("bytes_in_flight", "Chunks read and not yet decoded",
            Number(services_->exec.bytes_in_flight->held_bytes()));
  for (const Alarm& alarm : CurrentAlarms(engine))
    out.Gauge("alarm", "1 for each thing that needs the operator's attention", 1,
              {{"reason", alarm.reason}, {"message", alarm.message}});
  out.Gauge("writable", "1 if the store takes writes", engine.kv().health().writable() ? 1 : 0);
  for (const storage::v1::DatasetMeta& dataset : engine.catalog().Datasets()) {
    const absl::StatusOr<DatasetStats> stats = engine.Describe(dataset.name());
    if (stats.ok()) AddDataset(*stats, out);
  }
  AddImports(engine.imports(), out);
  AddMaintenance(engine.maintenance(), out);
  AddStore(engine.kv(), out);
  return out.Take();
}

}  // namespace freqstore
