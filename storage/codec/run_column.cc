#include "storage/codec/run_column.h"

#include <algorithm>
#include <vector>

#include "storage/base/status.h"

namespace freqstore {
namespace {

class RunColumnDecoder final : public ColumnDecoder {
 public:
  RunColumnDecoder(const ColumnData& data, const RunCodec* runs)
      : frequency_(data.id.frequency), grids_(data.grids), payload_(data.payload), runs_(runs) {}

  absl::Status Locate(const ColumnData& data) {
    offsets_.assign(grids_.size() + 1, static_cast<uint32_t>(payload_.size()));
    for (size_t s = 0; s + 1 < data.substream_offsets.size(); ++s) {
      const size_t first = data.first_image(s);
      const size_t count = std::min(data.images_per_substream, grids_.size() - first);
      const std::span<uint32_t> offsets = std::span(offsets_).subspan(first, count + 1);
      const SubstreamShape shape{.frequency = frequency_, .grids = grids_.subspan(first, count)};
      RETURN_IF_ERROR(runs_->LocateRuns(shape, data.substream(s), offsets));
      for (uint32_t& offset : offsets) offset += data.substream_offsets[s];
    }
    narrow_.resize(grids_.size());
    for (size_t i = 0; i < grids_.size(); ++i) narrow_[i] = runs_->IsNarrow(frequency_, grids_[i], Run(i));
    return absl::OkStatus();
  }

  ColumnSet contexts() const override { return {}; }
  bool sequential() const override { return false; }
  bool IsNarrow(size_t image) const override { return narrow_[image]; }
  absl::Status StartSubstream(size_t, ColumnCursor&) const override { return absl::OkStatus(); }
  absl::Status FinishSubstream(const ColumnCursor&) const override { return absl::OkStatus(); }

  void Decode(std::span<DecodeTarget> targets) const override {
    for (DecodeTarget& target : targets) {
      const BlockGrid& grid = grids_[target.image];
      target.status =
          narrow_[target.image]
              ? runs_->DecodeNarrowRun(Run(target.image), target.planes->narrow_plane(frequency_))
              : runs_->DecodeRun(frequency_, grid, Run(target.image), target.planes->plane(frequency_));
    }
  }

 private:
  Bytes Run(size_t image) const {
    return payload_.subspan(offsets_[image], offsets_[image + 1] - offsets_[image]);
  }

  const int frequency_;
  const std::span<const BlockGrid> grids_;
  const Bytes payload_;
  const RunCodec* const runs_;
  std::vector<uint32_t> offsets_;  ///< into payload_; one more than there are images
  std::vector<bool> narrow_;       ///< an image
};

}  // namespace

absl::StatusOr<std::unique_ptr<const ColumnDecoder>> RunColumnCodec::Open(const ColumnData& data) const {
  if (!data.head.empty())
    return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK", "bytes precede the first substream");
  auto decoder = std::make_unique<RunColumnDecoder>(data, runs_);
  RETURN_IF_ERROR(decoder->Locate(data));
  return decoder;
}

}  // namespace freqstore
