// Images a second of a model on one CPU thread: bench_model --model FILE.onnx [--batch N] [Google Benchmark's
// flags].
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

#include "gpu/cpu/model/cpu_model.h"
#include "gpu/cpu/model/cpu_tensor.h"
#include "gpu/model/model.h"
#include "storage/base/coding.h"

namespace freqstore {
namespace {

void RunModel(benchmark::State& state, const std::shared_ptr<const Model>& model) {
  const int64_t rows = state.range(0);
  auto loaded = LoadCpuModel(model);
  if (!loaded.ok()) return state.SkipWithError(loaded.status().ToString().c_str());
  Shape shape = model->input().shape;
  shape[0] = rows;
  const std::unique_ptr<CpuTensor> input = CpuTensor::Allocate(DataType::kFloat32, shape).value();
  size_t i = 0;
  for (float& x : input->floats()) x = static_cast<float>(i++ % 255) / 127.5F - 1.F;
  for (auto _ : state) {
    const auto outputs = (*loaded)->Run(*input, rows);
    if (!outputs.ok()) return state.SkipWithError(outputs.status().ToString().c_str());
  }
  state.SetItemsProcessed(state.iterations() * rows);
}

/// Takes `--name VALUE` out of the arguments.
std::string TakeFlag(int& argc, char** argv, std::string_view name, std::string otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (argv[i] != name) continue;
    std::string value = argv[i + 1];
    for (int j = i; j + 2 < argc; ++j) argv[j] = argv[j + 2];
    argc -= 2;
    return value;
  }
  return otherwise;
}

int Main(int argc, char** argv) {
  const std::string path = TakeFlag(argc, argv, "--model", "");
  const std::string batch = TakeFlag(argc, argv, "--batch", "16");
  std::ifstream in(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto model = Model::FromOnnx(AsBytes(file));
  if (!model.ok()) {
    std::fprintf(stderr, "bench_model --model '%s': %s\n", path.c_str(), model.status().ToString().c_str());
    return EXIT_FAILURE;
  }
  benchmark::RegisterBenchmark("model", [&](benchmark::State& state) { RunModel(state, *model); })
      ->Arg(std::atoll(batch.c_str()))
      ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace freqstore

int main(int argc, char** argv) {
  return freqstore::Main(argc, argv);
}
