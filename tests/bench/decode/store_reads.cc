#include "tests/bench/decode/store_reads.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "server/plan/fidelity.h"

namespace freqstore::bench {
namespace {

template <typename T>
T Valued(absl::StatusOr<T> result) {
  if (!result.ok()) throw std::runtime_error(std::string(result.status().message()));
  return *std::move(result);
}

void Lookup(const StoredPhotos& stored, const std::string& image_id, int k, Device& device) {
  const auto snapshot = stored.Snapshot();
  const DatasetSnapshot::Position position = Valued(snapshot->Find(image_id));
  const Part& part = snapshot->parts()[position.part];
  const ImageRows rows = Valued(snapshot->ReadRows(part));
  const ImageCut cut = CutForScale((*rows)[position.ordinal].geometry, k);
  const auto loaded = Valued(snapshot->Load(part, rows, snapshot->Close(part, cut.columns())));
  const DecodeRequest request{position.ordinal, cut};
  const auto consume = [&](size_t, const absl::Status& status, const DecodedImage* image) {
    if (!status.ok() || !device.RenderReduced(*image, k, /*apply_orientation=*/false).ok())
      throw std::runtime_error("an image cannot be decoded");
  };
  const absl::Status status = device.Decode(loaded->reader(), {&request, 1}, consume);
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
}

/// What this process has had read from disks.
uint64_t DiskBytesRead() {
  std::ifstream io("/proc/self/io");
  std::string name;
  uint64_t value = 0;
  while (io >> name >> value) {
    if (name == "read_bytes:") return value;
  }
  throw std::runtime_error("/proc/self/io does not tell what was read");
}

}  // namespace

double LookupMilliseconds(const StoredPhotos& stored, std::span<const Photo> photos, int k, Device& device) {
  std::vector<double> times;
  for (int pass = 0; pass < 2; ++pass) {
    times.clear();
    for (const Photo& photo : photos) {
      const auto start = std::chrono::steady_clock::now();
      Lookup(stored, photo.packed.record.image_id, k, device);
      times.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

ScanReads ScanCold(StoredPhotos& stored, int k) {
  stored.ReopenCold();
  ScanReads reads;
  const auto snapshot = stored.Snapshot();
  for (const Part& part : snapshot->parts()) {
    const ImageRows rows = Valued(snapshot->ReadRows(part));
    ColumnSet columns;
    for (const ImageRecord& row : *rows) columns |= CutForScale(row.geometry, k).columns();
    columns = snapshot->Close(part, columns);
    const uint64_t before = DiskBytesRead();
    Valued(snapshot->Load(part, rows, columns));
    reads.disk_bytes += DiskBytesRead() - before;
    reads.needed_bytes += snapshot->ColumnBytes(part, columns);
  }
  return reads;
}

}  // namespace freqstore::bench
