// bp32 by SIMD level, and what an import does to an image. Bytes are those of int16 values, 2 a coefficient.
//
// BM_ReadJpeg and BM_WriteSegment take their photos from FREQSTORE_TEST_DATA and are left out without it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "storage/base/cpu_features.h"
#include "storage/codec/bp32_codec.h"
#include "storage/jpeg/jpeg_reader.h"
#include "storage/segment/segment_reader.h"
#include "storage/segment/segment_writer.h"

namespace freqstore {
namespace {

constexpr size_t kPhotos = 64;

/// The columns of one image: `kFrequencies` planes that thin out towards high frequencies, as photos' do.
constexpr BlockGrid kGrid{63, 47};

std::vector<std::vector<int16_t>> PhotoLikePlanes() {
  std::mt19937 random(1);
  std::vector<std::vector<int16_t>> planes;
  for (int z = 0; z < kFrequencies; ++z) {
    std::normal_distribution<double> value(0, 60.0 / (1 + z * 0.8));
    std::vector<int16_t>& plane = planes.emplace_back(kGrid.blocks());
    for (int16_t& v : plane) v = static_cast<int16_t>(value(random));
  }
  return planes;
}

std::string EncodePlane(const RunCodec& codec, int frequency, const std::vector<int16_t>& plane) {
  std::string run;
  codec.EncodeRun(frequency, kGrid, plane, run);
  return run;
}

void CountBytes(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * int64_t{kFrequencies} * static_cast<int64_t>(kGrid.blocks()) *
                          2);
}

void BM_Bp32Encode(benchmark::State& state, SimdLevel level) {
  const Bp32Codec codec(level);
  const std::vector<std::vector<int16_t>> planes = PhotoLikePlanes();
  for (auto _ : state) {
    for (int z = 0; z < kFrequencies; ++z) {
      benchmark::DoNotOptimize(EncodePlane(codec, z, planes[static_cast<size_t>(z)]));
    }
  }
  CountBytes(state);
}

void BM_Bp32Decode(benchmark::State& state, SimdLevel level) {
  const Bp32Codec codec(level);
  const std::vector<std::vector<int16_t>> planes = PhotoLikePlanes();
  std::vector<std::string> runs;
  for (int z = 0; z < kFrequencies; ++z)
    runs.push_back(EncodePlane(codec, z, planes[static_cast<size_t>(z)]));
  std::vector<int16_t> out(kGrid.blocks());
  for (auto _ : state) {
    for (int z = 0; z < kFrequencies; ++z) {
      if (!codec.DecodeRun(z, kGrid, AsBytes(runs[static_cast<size_t>(z)]), out).ok()) std::abort();
      benchmark::DoNotOptimize(out.data());
    }
  }
  CountBytes(state);
}

/// The DC column alone, whose prediction is undone.
void BM_Bp32DecodeDc(benchmark::State& state, SimdLevel level) {
  const Bp32Codec codec(level);
  const std::string run = EncodePlane(codec, 0, PhotoLikePlanes()[0]);
  std::vector<int16_t> out(kGrid.blocks());
  for (auto _ : state) {
    if (!codec.DecodeRun(0, kGrid, AsBytes(run), out).ok()) std::abort();
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kGrid.blocks()) * 2);
}

std::vector<std::string> ReadPhotos(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (size_t i = 0; i < std::min(kPhotos, paths.size()); ++i) {
    std::ifstream in(paths[i], std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return files;
}

std::vector<JpegImage> DecodePhotos(const std::vector<std::string>& files) {
  std::vector<JpegImage> images;
  for (const std::string& file : files) images.push_back(ReadJpeg(AsBytes(file), {}).value());
  return images;
}

/// Takes the coefficients, as an import does.
EncodedSegment WriteSegment(std::vector<JpegImage> images) {
  SegmentWriter writer({});
  for (JpegImage& image : images) {
    ImageRecord record;
    record.geometry = std::move(image.geometry);
    writer.Add(PackImage(std::move(record), image.components));
  }
  return writer.Finish().value();
}

void BM_ReadJpeg(benchmark::State& state, const std::vector<std::string>& files) {
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(ReadJpeg(AsBytes(files[next]), {}));
    next = (next + 1) % files.size();
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_WriteSegment(benchmark::State& state, const std::vector<std::string>& files) {
  const std::vector<JpegImage> images = DecodePhotos(files);
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<JpegImage> copy = images;
    state.ResumeTiming();
    benchmark::DoNotOptimize(WriteSegment(std::move(copy)));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(files.size()));
}

void BM_OpenSegment(benchmark::State& state, const std::vector<std::string>& files) {
  const EncodedSegment segment = WriteSegment(DecodePhotos(files));
  std::vector<ChunkView> views;
  int64_t bytes = 0;
  for (const EncodedColumn& column : segment.columns) {
    views.push_back({column.id, AsBytes(column.chunk)});
    bytes += static_cast<int64_t>(column.chunk.size());
  }
  for (auto _ : state) benchmark::DoNotOptimize(SegmentReader(segment.images, views));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(files.size()));
  state.SetBytesProcessed(state.iterations() * bytes);
}

/// The k x k low frequencies of every component.
void BM_DecodeImage(benchmark::State& state, const std::vector<std::string>& files) {
  const EncodedSegment segment = WriteSegment(DecodePhotos(files));
  std::vector<ChunkView> views;
  for (const EncodedColumn& column : segment.columns) views.push_back({column.id, AsBytes(column.chunk)});
  const SegmentReader reader(segment.images, views);
  ColumnSet columns;
  columns.components.fill(FrequencySet::Cut(static_cast<int>(state.range(0)), 14));
  std::vector<CoefficientPlanes> planes;
  size_t next = 0;
  for (auto _ : state) {
    if (!reader.DecodeImage(next, columns, planes).ok()) std::abort();
    benchmark::DoNotOptimize(planes.data());
    next = (next + 1) % files.size();
  }
  state.SetItemsProcessed(state.iterations());
}

void RegisterBenchmarks() {
  for (SimdLevel level : SupportedSimdLevels()) {
    const std::string name(SimdLevelName(level));
    benchmark::RegisterBenchmark(("BM_Bp32Encode/" + name).c_str(), BM_Bp32Encode, level);
    benchmark::RegisterBenchmark(("BM_Bp32Decode/" + name).c_str(), BM_Bp32Decode, level);
    benchmark::RegisterBenchmark(("BM_Bp32DecodeDc/" + name).c_str(), BM_Bp32DecodeDc, level);
  }
  const char* root = std::getenv("FREQSTORE_TEST_DATA");
  if (root == nullptr) return;
  static const std::vector<std::string> files =
      ReadPhotos(std::filesystem::path(root) / "photos/imagenet500");
  benchmark::RegisterBenchmark("BM_ReadJpeg", BM_ReadJpeg, files);
  benchmark::RegisterBenchmark("BM_WriteSegment", BM_WriteSegment, files);
  benchmark::RegisterBenchmark("BM_OpenSegment", BM_OpenSegment, files);
  benchmark::RegisterBenchmark("BM_DecodeImage", BM_DecodeImage, files)->Arg(1)->Arg(2)->Arg(4)->Arg(8);
}

}  // namespace
}  // namespace freqstore

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  freqstore::RegisterBenchmarks();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
