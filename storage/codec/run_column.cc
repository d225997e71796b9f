#include "storage/codec/run_column.h"

#include <optional>

#include "storage/base/status.h"
#include "storage/base/varint.h"

namespace freqstore {
namespace {

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK", message);
}

/// Of a run's length and its flag.
constexpr size_t kLengthBytesMax = 5;

class RunColumnDecoder final : public ColumnDecoder {
 public:
  RunColumnDecoder(const ColumnData& data, const RunCodec* runs)
      : frequency_(data.id.frequency), grids_(data.grids), runs_(runs) {}

  ColumnSet contexts() const override { return {}; }
  bool sequential() const override { return false; }

  bool IsNarrow(size_t image, const ColumnCursor& cursor) const override {
    return cursor.runs[image - cursor.first_image].is_narrow;
  }

  absl::Status StartSubstream(Bytes substream, size_t first_image, size_t images,
                              ColumnCursor& cursor) const override {
    cursor.first_image = first_image;
    cursor.runs.resize(images);
    ByteReader lengths(substream);
    ByteReader runs = lengths;
    for (size_t i = 0; i < images; ++i) {
      if (!ReadVarint(runs, kLengthBytesMax)) return Corrupt("the lengths of a substream's runs are cut off");
    }
    for (size_t i = 0; i < images; ++i) {
      const uint64_t length_and_flag = ReadVarint(lengths, kLengthBytesMax).value_or(0);
      const std::optional<Bytes> bytes = runs.ReadBytes(static_cast<size_t>(length_and_flag / 2));
      if (!bytes) return Corrupt("the runs of a substream are cut off");
      if (bytes->size() < runs_->BytesMin(grids_[first_image + i].blocks()))
        return Corrupt("a run is shorter than its image allows");
      cursor.runs[i] = {.bytes = *bytes, .is_narrow = length_and_flag % 2 != 0};
    }
    return runs.remaining() == 0 ? absl::OkStatus() : Corrupt("bytes follow the runs of a substream");
  }

  absl::Status FinishSubstream(const ColumnCursor&) const override { return absl::OkStatus(); }

  void Decode(std::span<DecodeTarget> targets) const override {
    for (DecodeTarget& target : targets) {
      const RunView& run = target.cursor->runs[target.image - target.cursor->first_image];
      CoefficientPlanes& planes = *target.planes;
      target.status = run.is_narrow
                          ? runs_->DecodeNarrowRun(run.bytes, planes.narrow_plane(frequency_))
                          : runs_->DecodeRun(frequency_, planes.grid(), run.bytes, planes.plane(frequency_));
    }
  }

 private:
  const int frequency_;
  const std::span<const BlockGrid> grids_;
  const RunCodec* const runs_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<const ColumnDecoder>> RunColumnCodec::Open(const ColumnData& data) const {
  if (!data.head.empty()) return Corrupt("runs have no head");
  return std::make_unique<RunColumnDecoder>(data, runs_);
}

void AppendRunSubstream(std::span<const RunView> runs, std::string& out) {
  for (const RunView& run : runs) AppendVarint(out, uint64_t{run.bytes.size()} * 2 + (run.is_narrow ? 1 : 0));
  for (const RunView& run : runs) out += AsString(run.bytes);
}

}  // namespace freqstore
