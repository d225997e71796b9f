// Chunks in memory to RGB, and to a model's tensor, against libjpeg-turbo; one thread, thread CPU time, both
// sides in turn.
//
//   bench_decode --photos DIR [--json FILE] [--repeats N]
//
// Sizes are the same on both sides, and so is chroma: reduced images take it at up to 2k, as libjpeg-turbo
// does. Opening a segment's chunks (checksums, heads) counts. Each side decodes all colour photos of DIR.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gpu/cpu/cpu_device.h"
#include "server/plan/fidelity.h"
#include "storage/base/allocator.h"
#include "storage/base/cpu_features.h"
#include "tests/bench/decode/photo_set.h"
#include "tests/bench/decode/store_reads.h"
#include "tests/bench/decode/stored_photos.h"
#include "tests/bench/main_job/triangle_resize.h"
#include "tests/bench/turbo_decoder.h"

namespace freqstore::bench {
namespace {

double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Wall-clock time, which is cheap to read: it tells the shares of the stages.
double WallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One pass over all photos: thread CPU seconds, and how they were shared by the stages.
struct Stages {
  double total = 0;
  double open = 0;
  double decode = 0;
  double render = 0;

  void Scale() {
    const double scale = total / (open + decode + render);
    for (double* stage : {&open, &decode, &render}) *stage *= scale;
  }
};

/// What is asked of each photo.
struct Target {
  std::string name;
  std::function<ImageCut(const ImageGeometry&)> cut;
  std::function<void(TurboDecoder&, const std::string& file)> turbo;
  std::function<absl::Status(Device&, const DecodedImage&)> render;
};

constexpr size_t kBatchImages = 32;  // what a scan decodes at a time

/// Freqstore's side: opens, decodes and renders every photo.
Stages RunFreqstore(const std::vector<PhotoSegment>& segments, const Target& target, Device& device,
                    SimdLevel level) {
  Stages stages;
  const double begin_cpu = ThreadSeconds();
  for (const PhotoSegment& segment : segments) {
    const double start = WallSeconds();
    std::vector<DecodeRequest> requests;
    ColumnSet columns;
    for (size_t i = 0; i < segment.photos.size(); ++i) {
      requests.push_back({i, target.cut(segment.encoded.images[i].geometry)});
      if (i == 0 || !(requests[i].cut == requests[i - 1].cut)) columns |= requests[i].cut.columns();
    }
    for (size_t c = kComponentsMax * kFrequencies; c-- > 0;) {
      if (c >= segment.encoded.columns.size()) continue;
      const EncodedColumn& column = segment.encoded.columns[c];
      if (columns.Contains(column.id)) columns |= column.contexts;
    }
    const std::vector<ChunkView> views = segment.Views(columns);
    const SegmentReader reader(segment.encoded.images, views, level);
    const double opened = WallSeconds();
    double rendering = 0;
    for (size_t first = 0; first < requests.size(); first += kBatchImages) {
      const auto batch = std::span(requests).subspan(first, std::min(kBatchImages, requests.size() - first));
      const absl::Status status =
          device.Decode(reader, batch, [&](size_t, const absl::Status& decoded, const DecodedImage* image) {
            if (!decoded.ok()) throw std::runtime_error(std::string(decoded.message()));
            const double begin = WallSeconds();
            if (!target.render(device, *image).ok()) throw std::runtime_error("an image cannot be rendered");
            rendering += WallSeconds() - begin;
          });
      if (!status.ok()) throw std::runtime_error(std::string(status.message()));
    }
    stages.open += opened - start;
    stages.decode += WallSeconds() - opened - rendering;
    stages.render += rendering;
  }
  stages.total = ThreadSeconds() - begin_cpu;
  stages.Scale();
  return stages;
}

double RunTurbo(const std::vector<Photo>& photos, const Target& target, TurboDecoder& turbo) {
  const double start = ThreadSeconds();
  for (const Photo& photo : photos) target.turbo(turbo, photo.file);
  return ThreadSeconds() - start;
}

Target ReducedTarget(int k) {
  static Pixels pixels;
  return {.name = fmt::format("k={}", k),
          .cut = [k](const ImageGeometry& geometry) { return CutForScale(geometry, k); },
          .turbo = [k](TurboDecoder& turbo,
                       const std::string& file) { turbo.Decode(file, static_cast<unsigned>(k), pixels); },
          .render =
              [k](Device& device, const DecodedImage& image) {
                return device.RenderReduced(image, k, /*apply_orientation=*/false).status();
              }};
}

Target TensorTarget(Device& device, uint32_t shortest, uint32_t crop) {
  static Pixels pixels;
  static TriangleResize resize;
  RenderSpec spec;
  spec.resize = {.kind = ResizeRule::Kind::kShortest, .width = crop, .height = crop, .shortest = shortest};
  spec.apply_orientation = false;
  std::shared_ptr<Tensor> tensor =
      device.Allocate(DataType::kFloat32, {1, 3, int64_t{crop}, int64_t{crop}}).value();
  auto floats = std::make_shared<std::vector<float>>(size_t{3} * crop * crop);
  return {.name = fmt::format("S={}", crop),
          .cut = [spec](const ImageGeometry& geometry) { return CutForModel(geometry, spec, {}).cut; },
          .turbo =
              [spec, floats](TurboDecoder& turbo, const std::string& file) {
                turbo.DecodeFor(file, spec.resize, pixels);
                resize.Run(pixels.rgb, pixels.width, pixels.height, spec, *floats);
              },
          .render = [spec, tensor](Device& on,
                                   const DecodedImage& image) { return on.Render(image, spec, *tensor, 0); }};
}

struct Options {
  std::string photos;
  std::string json;
  int repeats = 7;
};

class Benchmark {
 public:
  explicit Benchmark(const Options& options) : options_(options), photos_(LoadPhotos(options.photos)) {
    for (const Photo& photo : photos_) file_bytes_ += photo.file.size();
    fmt::print(
        "{} colour photos, {:.1f} KB each; best instruction set here: {}; thread CPU time, medians of {}\n",
        photos_.size(), static_cast<double>(file_bytes_) / 1e3 / static_cast<double>(photos_.size()),
        SimdLevelName(BestSimdLevel()), options_.repeats);
  }

  void Run() {
    std::vector<SimdLevel> levels = SupportedSimdLevels();
    std::reverse(levels.begin(), levels.end());
    for (Layout layout : {Layout::kFast, Layout::kBalanced, Layout::kCompact}) {
      const std::vector<PhotoSegment> segments = MakeSegments(photos_, layout);
      uint64_t bytes = 0;
      for (const PhotoSegment& segment : segments) bytes += segment.bytes();
      const double share = static_cast<double>(bytes) / static_cast<double>(file_bytes_);
      fmt::print("\n{}: {} segments, stored bytes / JPEG bytes {:.3f}\n", LayoutName(layout), segments.size(),
                 share);
      fmt::print("  {:8} {:7} {:>10} {:>10} {:>9}   {:>7} {:>7} {:>7}  us an image\n", "isa", "target",
                 "turbo", "freqstore", "ratio", "open", "decode", "render");
      json_["layouts"][std::string(LayoutName(layout))]["stored_share"] = share;
      for (SimdLevel level : levels) {
        if (level != SimdLevel::kScalar) RunLevel(segments, layout, level);
      }
    }
    Ingest();
    Reads();
    if (!options_.json.empty()) std::ofstream(options_.json) << json_.dump(2) << "\n";
  }

 private:
  void Ingest() {
    fmt::print("\nIngest, JPEG bytes to committed segments, one ingest thread, images/s\n");
    fmt::print("  {:9} {:>8} {:>16}\n", "layout", "wall", "a CPU second");
    for (Layout layout : {Layout::kFast, Layout::kBalanced, Layout::kCompact}) {
      std::vector<double> wall;
      std::vector<double> cpu;
      for (int repeat = 0; repeat < std::min(options_.repeats, 3); ++repeat) {
        const IngestTimes times = StoredPhotos(photos_, layout).times();
        wall.push_back(static_cast<double>(photos_.size()) / times.wall_seconds);
        cpu.push_back(static_cast<double>(photos_.size()) / times.cpu_seconds);
      }
      fmt::print("  {:9} {:8.0f} {:16.0f}\n", LayoutName(layout), Median(wall), Median(cpu));
      std::fflush(stdout);
      json_["layouts"][std::string(LayoutName(layout))]["ingest"] = {{"images_per_second", Median(wall)},
                                                                     {"images_per_cpu_second", Median(cpu)}};
    }
  }

  void Reads() {
    fmt::print("\nFrom a store: one image by id (warm, k=4), and what a scan reads with cold caches\n");
    fmt::print("  {:9} {:>7} {:>10} {:>10} {:>22}\n", "layout", "ms", "scan", "needs MB",
               "disk bytes / needed");
    const std::unique_ptr<Device> device = MakeCpuDevice();
    for (Layout layout : {Layout::kFast, Layout::kBalanced, Layout::kCompact}) {
      StoredPhotos stored(photos_, layout);
      nlohmann::json& json = json_["layouts"][std::string(LayoutName(layout))];
      const double lookup = LookupMilliseconds(stored, photos_, 4, *device);
      json["lookup_ms"] = lookup;
      for (int k : {1, 2, 4, 8}) {
        const ScanReads reads = ScanCold(stored, k);
        const double ratio = static_cast<double>(reads.disk_bytes) / static_cast<double>(reads.needed_bytes);
        const std::string shown =
            reads.disk_bytes == 0 ? "files are in memory" : fmt::format("{:.3f}", ratio);
        fmt::print("  {:9} {:>7} {:>10} {:10.1f} {:>22}\n", k == 1 ? LayoutName(layout) : "",
                   k == 1 ? fmt::format("{:.2f}", lookup) : "", fmt::format("k={}", k),
                   static_cast<double>(reads.needed_bytes) / 1e6, shown);
        json["cold_scan"].push_back(
            {{"k", k}, {"needed_bytes", reads.needed_bytes}, {"disk_bytes", reads.disk_bytes}});
      }
    }
  }

  void RunLevel(const std::vector<PhotoSegment>& segments, Layout layout, SimdLevel level) {
    const std::unique_ptr<Device> device = MakeCpuDevice(level);
    for (int k : {1, 2, 4, 8}) Compare(segments, layout, level, *device, ReducedTarget(k));
    Compare(segments, layout, level, *device, TensorTarget(*device, 146, 128));
    Compare(segments, layout, level, *device, TensorTarget(*device, 256, 224));
  }

  void Compare(const std::vector<PhotoSegment>& segments, Layout layout, SimdLevel level, Device& device,
               const Target& target) {
    TurboDecoder turbo;
    std::vector<double> turbo_seconds;
    std::vector<double> ratios;
    std::vector<Stages> stages;
    RunFreqstore(segments, target, device, level);
    for (int repeat = 0; repeat < options_.repeats; ++repeat) {
      turbo_seconds.push_back(RunTurbo(photos_, target, turbo));
      stages.push_back(RunFreqstore(segments, target, device, level));
      ratios.push_back(turbo_seconds.back() / stages.back().total);
    }
    std::sort(stages.begin(), stages.end(),
              [](const Stages& a, const Stages& b) { return a.total < b.total; });
    const Stages& median = stages[stages.size() / 2];
    const auto micros = [&](double seconds) { return seconds / static_cast<double>(photos_.size()) * 1e6; };
    fmt::print("  {:8} {:7} {:10.1f} {:10.2f} {:8.1f}x   {:7.2f} {:7.2f} {:7.2f}\n", SimdLevelName(level),
               target.name, micros(Median(turbo_seconds)), micros(median.total), Median(ratios),
               micros(median.open), micros(median.decode), micros(median.render));
    std::fflush(stdout);
    nlohmann::json row = {{"target", target.name},
                          {"isa", SimdLevelName(level)},
                          {"turbo_us", micros(Median(turbo_seconds))},
                          {"freqstore_us", micros(median.total)},
                          {"open_us", micros(median.open)},
                          {"decode_us", micros(median.decode)},
                          {"render_us", micros(median.render)},
                          {"ratio", Median(ratios)}};
    json_["layouts"][std::string(LayoutName(layout))]["rows"].push_back(std::move(row));
  }

  const Options options_;
  const std::vector<Photo> photos_;
  uint64_t file_bytes_ = 0;
  nlohmann::json json_;
};

}  // namespace
}  // namespace freqstore::bench

int main(int argc, char** argv) {
  freqstore::KeepFreedMemory();  // as the server does
  freqstore::bench::Options options;
  CLI::App app(
      "Decoding columns against libjpeg-turbo: ratios of thread CPU time, by layout and instruction set");
  app.add_option("--photos", options.photos, "A folder of JPEG files")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--json", options.json, "Also write the figures to this file");
  app.add_option("--repeats", options.repeats, "Passes of each side; the median counts")
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    freqstore::bench::Benchmark(options).Run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_decode: {}\n", error.what());
    return 1;
  }
  return 0;
}
