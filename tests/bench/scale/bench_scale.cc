// What a store of a million small images costs: import, opening, the first row of a selective filter, scans,
// memory.
//
//   bench_scale --images 1000000 --data-dir /tmp/scale
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "absl/synchronization/notification.h"
#include "fmt/format.h"
#include "server/plan/planner.h"
#include "server/plan/query_plan.h"
#include "storage/base/allocator.h"
#include "storage/base/resident_memory.h"
#include "storage/base/status.h"
#include "storage/engine/storage_engine.h"
#include "storage/segment/segment_decoder.h"
#include "tests/bench/scale/small_photo.h"

namespace freqstore::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kLabels = 1000;
constexpr uint64_t kRareEvery = 50000;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Of the process, bytes.
uint64_t PeakResidentBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

template <typename T>
T Value(absl::StatusOr<T> result) {
  if (!result.ok()) throw std::runtime_error(std::string(MessageOf(result.status())));
  return *std::move(result);
}

struct ImportFigures {
  double seconds = 0;
  uint64_t file_bytes = 0;
};

ImportFigures Import(StorageEngine& engine, uint64_t images) {
  ImportFigures figures;
  std::mutex mutex;
  std::condition_variable answered;
  uint64_t answers = 0;
  std::string failure;
  const auto session = Value(engine.StartImport("small", [&](const ImportOutcome& outcome) {
    const std::lock_guard lock(mutex);
    if (!outcome.status.ok()) failure = MessageOf(outcome.status);
    ++answers;
    answered.notify_one();
  }));
  const auto start = Clock::now();
  for (uint64_t n = 0; n < images; ++n) {
    std::string file = SmallPhoto(n);
    figures.file_bytes += file.size();
    NamedValues attributes = {{"label", fmt::format("class-{:03}", n * 7919 % kLabels)},
                              {"number", static_cast<int64_t>(n)}};
    if (n % kRareEvery == 1) attributes.emplace_back("rare", true);
    session->Add({n, fmt::format("{:03}/{:07}.jpg", n / 10000, n), std::move(file), std::move(attributes)});
    if (n % 1000 == 0 && isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\rimport {} of {}", n, images);
    std::unique_lock lock(mutex);
    answered.wait(lock, [&] { return n - answers < 20000; });
  }
  absl::Notification done;
  session->Finish([&] { done.Notify(); });
  done.WaitForNotification();
  figures.seconds = SecondsSince(start);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\n");
  if (!failure.empty()) throw std::runtime_error(failure);
  return figures;
}

QueryPlan Plan(StorageEngine& engine, const Predicate& predicate) {
  auto snapshot = Value(engine.Snapshot("small"));
  RowSelection rows = SelectRows(*snapshot, {}, predicate);
  return {std::move(snapshot), ReducedPixels{1, true}, {}, std::move(rows)};
}

struct ScanFigures {
  double seconds = 0;
  double first_row_seconds = 0;
  uint64_t images = 0;
  uint64_t bytes = 0;
  size_t segments_skipped = 0;
};

/// Plans, reads and decodes at 1/8, on one thread.
ScanFigures Scan(StorageEngine& engine, const Predicate& predicate) {
  ScanFigures figures;
  const auto start = Clock::now();
  const QueryPlan plan = Plan(engine, predicate);
  figures.segments_skipped = plan.selection.segments_skipped;
  SegmentDecoder decoder;
  for (size_t i = 0; i < plan.selection.parts.size(); ++i) {
    const PlannedPart planned = PlanPart(plan, i);
    if (!planned.status.ok()) throw std::runtime_error(std::string(MessageOf(planned.status)));
    const auto loaded =
        Value(plan.snapshot->Load(plan.snapshot->parts()[planned.part], planned.rows, planned.columns));
    figures.bytes += loaded->bytes();
    std::vector<ImageRequest> requests;
    for (const DecodeRequest& request : planned.requests)
      requests.push_back({request.ordinal, request.cut.columns()});
    decoder.Decode(loaded->reader(), requests,
                   [&](size_t, const absl::Status& status, std::vector<CoefficientPlanes>&) {
                     if (!status.ok()) throw std::runtime_error(std::string(MessageOf(status)));
                     if (figures.images++ == 0) figures.first_row_seconds = SecondsSince(start);
                   });
  }
  figures.seconds = SecondsSince(start);
  return figures;
}

nlohmann::ordered_json ToJson(const ScanFigures& figures) {
  return {
      {"images", figures.images},
      {"segments_skipped", figures.segments_skipped},
      {"first_row_ms", 1e3 * figures.first_row_seconds},
      {"seconds", figures.seconds},
      {"bytes", figures.bytes},
      {"us_an_image", 1e6 * figures.seconds / static_cast<double>(std::max<uint64_t>(figures.images, 1))}};
}

StorageOptions OptionsFor(const fs::path& data_dir, uint64_t memory_bytes) {
  StorageOptions options;
  options.data_dir = data_dir;
  options.kv.memory_bytes = memory_bytes;
  return options;
}

void Run(uint64_t images, const fs::path& data_dir, uint64_t memory_bytes) {
  nlohmann::ordered_json report;
  report["images"] = images;
  auto engine = Value(StorageEngine::Open(OptionsFor(data_dir, memory_bytes)));
  if (!engine->catalog().FindDataset("small").ok()) {
    Value(engine->catalog().CreateDataset("small", storage::v1::LAYOUT_BALANCED));
    const ImportFigures import = Import(*engine, images);
    report["import"] = {{"seconds", import.seconds},
                        {"images_a_second", static_cast<double>(images) / import.seconds},
                        {"file_bytes", import.file_bytes},
                        {"rss_peak", PeakResidentBytes()}};
    Value(engine->Flush("small"));
  }
  const DatasetStats stats = Value(engine->Describe("small"));
  report["store"] = {{"segments", stats.segments},
                     {"column_bytes", stats.column_bytes},
                     {"envelope_bytes", stats.envelope_bytes},
                     {"stored_per_file_byte", static_cast<double>(stats.column_bytes + stats.envelope_bytes) /
                                                  static_cast<double>(stats.file_bytes)}};
  engine.reset();
  const auto opening = Clock::now();
  engine = Value(StorageEngine::Open(OptionsFor(data_dir, memory_bytes)));
  report["open_seconds"] = SecondsSince(opening);

  const auto schema = Value(engine->Schema("small"));
  const auto where = [&](std::string_view name, Predicate::Comparison comparison, AttributeValue value) {
    return Predicate::Compare(schema->Find(name)->id, comparison, std::move(value));
  };
  using enum Predicate::Comparison;
  report["one_label_of_1000"] = ToJson(Scan(*engine, where("label", kEqual, std::string("class-007"))));
  report["rare"] = ToJson(Scan(*engine, where("rare", kEqual, true)));
  for (const int64_t share : {8, 4, 2, 1}) {
    const auto below = static_cast<int64_t>(images) / share;
    report[fmt::format("scan_1/{}", share)] = ToJson(Scan(*engine, where("number", kLess, below)));
  }
  report["rss_peak"] = PeakResidentBytes();
  report["rss"] = ResidentBytes();
  const KvMemory memory = engine->kv().memory();
  report["store_memory"] = {{"capacity", memory.capacity},
                            {"cache", memory.cache},
                            {"memtables", memory.memtables},
                            {"table_readers", memory.table_readers}};
  fmt::print("{}\n", report.dump(2));
}

}  // namespace
}  // namespace freqstore::bench

int main(int argc, char** argv) {
  freqstore::KeepFreedMemory();
  uint64_t images = 100000;
  uint64_t memory_bytes = uint64_t{256} << 20;
  std::string data_dir;
  CLI::App app("What a store of many small images costs. A data-dir that has a store is measured again.",
               "bench_scale");
  app.add_option("--images", images, "How many")->capture_default_str();
  app.add_option("--data-dir", data_dir, "Where the store is, or will be")->required();
  app.add_option("--memory", memory_bytes, "Of the store")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    freqstore::bench::Run(images, data_dir, memory_bytes);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_scale: {}\n", error.what());
    return 1;
  }
  return 0;
}
