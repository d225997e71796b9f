#include "storage/segment/strand.h"

#include <algorithm>
#include <utility>

namespace freqstore {

Strand::Strand(SimdLevel level)
    : contexts_{ContextPlanes(level), ContextPlanes(level), ContextPlanes(level), ContextPlanes(level)},
      cursors_(kColumnsMax) {}

void Strand::Begin(const SegmentReader& reader, size_t substream, std::vector<DecodeJob> jobs,
                   Consume consume) {
  reader_ = &reader;
  jobs_ = std::move(jobs);
  std::sort(jobs_.begin(), jobs_.end(),
            [](const DecodeJob& a, const DecodeJob& b) { return a.ordinal < b.ordinal; });
  next_job_ = 0;
  image_ = substream * reader.images_per_substream();
  images_end_ = std::min(image_ + reader.images_per_substream(), reader.images().size());
  failed_ = {};
  failure_ = absl::OkStatus();
  StartColumns(reader, substream);
  if (failed_ == ColumnSet()) return;
  std::erase_if(jobs_, [&](const DecodeJob& job) {
    if (!Intersect(job.projection->closed, failed_)) return false;
    std::vector<CoefficientPlanes> none;
    consume(job.index, failure_, none);
    return true;
  });
  failed_ = {};
  failure_ = absl::OkStatus();
  StartColumns(reader, substream);
}

void Strand::StartColumns(const SegmentReader& reader, size_t substream) {
  closed_ = {};
  is_sequential_ = false;
  for (const DecodeJob& job : jobs_) {
    closed_ |= job.projection->closed;
    is_sequential_ = is_sequential_ || job.projection->is_sequential;
  }
  columns_.clear();
  ForEachColumn(closed_, [&](ColumnId id) {
    columns_.push_back({id, *reader.FindColumn(id)});
    const absl::Status status = reader.StartSubstream(id, substream, cursors_[ColumnIndex(id)]);
    if (!status.ok()) Fail(id, status);
  });
}

void Strand::StartImage() {
  if (!is_sequential_) {
    image_ = jobs_[next_job_].ordinal;
    failed_ = {};
    failure_ = absl::OkStatus();
  }
  ResetPlanes();
  if (!is_sequential_) return;
  for (size_t c = 0; c < planes_.size(); ++c) contexts_[c].Reset(planes_[c]);
}

/// Makes room for the columns of the image, as wide as they are.
void Strand::ResetPlanes() {
  const std::vector<ComponentGeometry>& components = reader_->images()[image_].geometry.components;
  std::array<FrequencySet, kComponentsMax> narrow;
  for (const Column& column : columns_) {
    if (column.id.component < components.size() &&
        column.decoder->IsNarrow(image_, cursors_[ColumnIndex(column.id)]))
      narrow[column.id.component].Insert(column.id.frequency);
  }
  planes_.resize(components.size());
  for (size_t c = 0; c < planes_.size(); ++c)
    planes_[c].Reset(components[c].grid, closed_.components[c], narrow[c]);
}

bool Strand::MakeTarget(ColumnId id, DecodeTarget& target) {
  if (done() || id.component >= planes_.size() || !closed_.Contains(id) || failed_.Contains(id)) return false;
  target.image = image_;
  target.planes = &planes_[id.component];
  target.cursor = &cursors_[ColumnIndex(id)];
  target.contexts = &contexts_[id.component];
  const bool has_previous =
      id.component > 0 && planes_[id.component - 1u].grid() == planes_[id.component].grid();
  target.contexts_of_previous = has_previous ? &contexts_[id.component - 1u] : nullptr;
  return true;
}

void Strand::Fail(ColumnId id, const absl::Status& status) {
  failed_.Insert(id);
  if (failure_.ok()) failure_ = status;
}

void Strand::Deliver(Consume consume) {
  if (image_ + 1 == images_end_) Finish();
  for (; !done() && jobs_[next_job_].ordinal == image_; ++next_job_) {
    const DecodeJob& job = jobs_[next_job_];
    const bool is_wanted_again = next_job_ + 1 < jobs_.size() && jobs_[next_job_ + 1].ordinal == image_;
    std::vector<CoefficientPlanes> copy;
    if (is_wanted_again) copy = planes_;
    std::vector<CoefficientPlanes>& delivered = is_wanted_again ? copy : planes_;
    for (size_t c = 0; c < delivered.size(); ++c) delivered[c].Keep(job.projection->wanted.components[c]);
    consume(job.index, Intersect(job.projection->closed, failed_) ? failure_ : absl::OkStatus(), delivered);
  }
  ++image_;
}

void Strand::Finish() {
  for (const Column& column : columns_) {
    if (failed_.Contains(column.id)) continue;
    const absl::Status status = column.decoder->FinishSubstream(cursors_[ColumnIndex(column.id)]);
    if (!status.ok()) Fail(column.id, status);
  }
}

size_t Strand::bytes() const {
  size_t bytes = 0;
  for (const CoefficientPlanes& planes : planes_) bytes += planes.bytes();
  return bytes;
}

}  // namespace freqstore
