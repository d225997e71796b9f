// freqstore-sample: makes the labelled photos that the quick start and the sample network's training use.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "deploy/sample/photo.h"
#include "deploy/sample/subject.h"
#include "storage/base/status.h"

namespace freqstore::sample {
namespace {

std::string FileName(uint32_t index, int class_index) {
  return fmt::format("{}/{:04}.jpg", kClassNames[static_cast<size_t>(class_index)], index);
}

absl::Status WriteFile(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) {
    return MakeError(
        absl::StatusCode::kUnavailable, "WRITE_FAILED",
        fmt::format("cannot write {}: is the folder writable and the disk not full?", path.string()));
  }
  return absl::OkStatus();
}

/// Writes the photos of one thread's turns and the label lines of each.
absl::Status WritePhotos(const std::filesystem::path& folder, uint64_t seed, std::atomic<uint32_t>& next,
                         std::vector<std::string>& lines) {
  for (uint32_t index = next++; index < lines.size(); index = next++) {
    const Photo photo = MakePhoto(seed, index);
    const std::string name = FileName(index, photo.class_index);
    RETURN_IF_ERROR(WriteFile(folder / name, photo.jpeg));
    lines[index] = fmt::format("{}\t{}\t{}\n", name, photo.class_index,
                               kClassNames[static_cast<size_t>(photo.class_index)]);
  }
  return absl::OkStatus();
}

absl::Status WriteSample(const std::filesystem::path& folder, uint64_t seed, uint32_t count) {
  for (std::string_view name : kClassNames) {
    std::error_code error;
    std::filesystem::create_directories(folder / name, error);
    if (error) {
      return MakeError(
          absl::StatusCode::kUnavailable, "WRITE_FAILED",
          fmt::format("cannot make the folder {}: {}", (folder / name).string(), error.message()));
    }
  }
  std::atomic<uint32_t> next = 0;
  std::vector<std::string> lines(count);
  std::vector<absl::Status> results(std::max(1U, std::thread::hardware_concurrency()));
  {
    std::vector<std::jthread> threads;
    threads.reserve(results.size());
    for (absl::Status& result : results) {
      threads.emplace_back([&] { result = WritePhotos(folder, seed, next, lines); });
    }
  }
  for (const absl::Status& result : results) RETURN_IF_ERROR(result);

  std::string labels = "file\tclass_index\tclass\n";
  for (const std::string& line : lines) labels += line;
  return WriteFile(folder / "labels.tsv", labels);
}

int Run(int argc, char** argv) {
  CLI::App app("Makes labelled, photo-sized JPEGs to try Freqstore with.");
  app.require_subcommand(1);
  CLI::App* photos = app.add_subcommand("photos", "write CLASS/NNNN.jpg files and labels.tsv into a folder");
  std::string folder;
  uint32_t count = 400;
  uint64_t seed = 1;
  photos->add_option("OUT_DIR", folder, "the folder; made if absent")->required();
  photos->add_option("--count", count, "how many photos")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  photos->add_option("--seed", seed, "another seed gives other photos")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const absl::Status status = WriteSample(folder, seed, count);
  if (status.ok()) return 0;
  fmt::print(stderr, "freqstore-sample: {}\n", MessageOf(status));
  return 1;
}

}  // namespace
}  // namespace freqstore::sample

int main(int argc, char** argv) {
  try {
    return freqstore::sample::Run(argc, argv);
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
    return 1;
  }
}
