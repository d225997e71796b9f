// Images per second of the main job, stored photos to predictions, against the same job done from JPEG files.
// Both sides use all cores and the same executor and take turns in one process.

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "client/cli/command.h"
#include "client/cli/input_spec.h"
#include "client/cli/query_options.h"
#include "server/rpc/input_spec_conversion.h"
#include "storage/base/cpu_features.h"
#include "storage/base/status.h"
#include "tests/bench/main_job/freqstore_side.h"
#include "tests/bench/main_job/jpeg_side.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr uint32_t kBatchImages = 16;
constexpr double kSecondsPerRun = 1.0;

struct Options {
  std::string photos;
  std::vector<std::string> models;
  std::string preset = "mobilenet";
  std::string input_spec;
  std::string fidelity = "standard";
  std::string json;
  int rounds = 5;
};

std::vector<fs::path> FindPhotos(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::string suffix = entry.path().extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (entry.is_regular_file() && (suffix == ".jpg" || suffix == ".jpeg")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

v1::InputSpec SpecOf(const Options& options) {
  if (!options.input_spec.empty()) return cli::ParseInputSpec(cli::ReadFile(options.input_spec));
  for (const cli::Preset& preset : cli::Presets()) {
    if (preset.name == options.preset) return preset.spec;
  }
  throw std::runtime_error("there is no preset " + options.preset);
}

template <typename T>
T OrThrow(absl::StatusOr<T> value) {
  if (!value.ok()) throw std::runtime_error(std::string(MessageOf(value.status())));
  return *std::move(value);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Images per second of `run`, repeated until a second has passed.
template <typename Run>
double Rate(size_t images, Run run) {
  const auto start = std::chrono::steady_clock::now();
  double seconds = 0;
  int runs = 0;
  do {
    run();
    ++runs;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } while (seconds < kSecondsPerRun);
  return double(images) * runs / seconds;
}

double Agreement(const Answers& a, const Answers& b) {
  size_t same = 0;
  for (const auto& [file, answer] : a) {
    const auto found = b.find(file);
    if (found != b.end() && found->second == answer) ++same;
  }
  return 100.0 * double(same) / double(a.size());
}

Json Compare(const Options& options, const std::string& model_file, const std::vector<fs::path>& files,
             FreqstoreSide& freqstore, unsigned threads) {
  const std::string bytes = cli::ReadFile(model_file);
  const auto model = OrThrow(Model::FromOnnx(AsBytes(bytes)));
  const v1::InputSpec spec = SpecOf(options);
  const RenderSpec render = ToRenderSpec(OrThrow(ResolveInputSpec(spec, *model)), false);
  const std::string name = fs::path(model_file).stem().string();
  freqstore.RegisterModel(name, bytes, spec);
  JpegSide jpeg(files, model, render, kBatchImages, threads);
  const v1::Fidelity fidelity = cli::ParseFidelity(options.fidelity);

  // One run of each to warm up: files and chunks come from memory afterwards, models are loaded.
  const Answers from_jpeg = jpeg.Run();
  const FreqstoreSide::Result from_columns = freqstore.Run(name, fidelity);
  std::vector<double> jpeg_rates;
  std::vector<double> column_rates;
  std::vector<double> ratios;
  for (int round = 0; round < options.rounds; ++round) {
    jpeg_rates.push_back(Rate(files.size(), [&] { jpeg.Run(); }));
    column_rates.push_back(Rate(files.size(), [&] { freqstore.Run(name, fidelity); }));
    ratios.push_back(column_rates.back() / jpeg_rates.back());
  }
  Json result;
  result["model"] = name;
  result["jpeg_images_per_second"] = Median(jpeg_rates);
  result["freqstore_images_per_second"] = Median(column_rates);
  result["ratio"] = Median(ratios);
  result["bytes_read"] = from_columns.actual.column_bytes() + from_columns.actual.delta_bytes();
  result["same_top1_percent"] = Agreement(from_jpeg, from_columns.answers);
  return result;
}

void Run(const Options& options) {
  const std::vector<fs::path> files = FindPhotos(options.photos);
  if (files.empty()) throw std::runtime_error("no .jpg files in " + options.photos);
  uint64_t file_bytes = 0;
  for (const fs::path& file : files) file_bytes += fs::file_size(file);
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  const testutil::TempFolder folder;
  FreqstoreSide freqstore(folder.path() / "data");
  const double import_seconds = freqstore.Import(files);
  fmt::print("{} photos, {} of JPEG, imported in {:.2f} s ({:.0f} images/s); {} threads, {}, fidelity {}\n",
             files.size(), cli::HumanBytes(double(file_bytes)), import_seconds,
             double(files.size()) / import_seconds, threads, SimdLevelName(BestSimdLevel()),
             options.fidelity);
  fmt::print("{:<28}{:>16}{:>16}{:>8}{:>12}{:>12}\n", "model", "JPEG img/s", "Freqstore img/s", "ratio",
             "read", "same top-1");
  Json results = Json::array();
  for (const std::string& model : options.models) {
    results.push_back(Compare(options, model, files, freqstore, threads));
    const Json& r = results.back();
    fmt::print("{:<28}{:>16.0f}{:>16.0f}{:>8.2f}{:>12}{:>10.1f} %\n", r["model"].get<std::string>(),
               r["jpeg_images_per_second"].get<double>(), r["freqstore_images_per_second"].get<double>(),
               r["ratio"].get<double>(), cli::HumanBytes(r["bytes_read"].get<double>()),
               r["same_top1_percent"].get<double>());
  }
  if (options.json.empty()) return;
  Json document;
  document["photos"] = files.size();
  document["file_bytes"] = file_bytes;
  document["import_images_per_second"] = double(files.size()) / import_seconds;
  document["threads"] = threads;
  document["simd"] = SimdLevelName(BestSimdLevel());
  document["fidelity"] = options.fidelity;
  document["models"] = std::move(results);
  std::ofstream(options.json) << document.dump(2) << '\n';
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("The main job, Freqstore against JPEG files with libjpeg-turbo at its best scaled decode");
  app.add_option("--photos", options.photos, "Folder of JPEG files")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--model", options.models, "ONNX classifier; may be given more than once")
      ->required()
      ->check(CLI::ExistingFile);
  CLI::Option* preset =
      app.add_option("--preset", options.preset, "Preprocessing, as for `freqstore model register`")
          ->capture_default_str();
  app.add_option("--input-spec", options.input_spec, "Preprocessing from a JSON file")->excludes(preset);
  app.add_option("--fidelity", options.fidelity)->capture_default_str();
  app.add_option("--rounds", options.rounds, "Turns of each side; medians are printed")
      ->capture_default_str();
  app.add_option("--json", options.json, "Write the results here, too");
  CLI11_PARSE(app, argc, argv);
  try {
    Run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace freqstore::bench

int main(int argc, char** argv) {
  return freqstore::bench::Main(argc, argv);
}
