#include "storage/segment/segment_decoder.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/codec/column_codec.h"

namespace freqstore {
namespace {

/// An image that took more memory than this does not leave it behind.
constexpr size_t kKeptBytesMax = size_t{32} << 20;

bool Intersect(const ColumnSet& a, const ColumnSet& b) {
  for (size_t c = 0; c < kComponentsMax; ++c) {
    if ((a.components[c].bits() & b.components[c].bits()) != 0) return true;
  }
  return false;
}

/// Columns that an image has no component for are passed over.
ColumnSet Applicable(size_t components, ColumnSet columns) {
  for (size_t c = components; c < kComponentsMax; ++c) columns.components[c] = {};
  return columns;
}

struct PlannedColumn {
  ColumnId id;
  const ColumnDecoder* decoder;
};

/// What requests of the same columns take, of images with as many components.
struct Projection {
  ColumnSet requested;
  size_t components = 0;
  ColumnSet wanted;                    ///< those requested that the images have
  ColumnSet closed;                    ///< and all that must be decoded before them
  std::vector<PlannedColumn> columns;  ///< the closed ones, in order
  bool sequential = false;
  absl::Status status;
};

std::shared_ptr<const Projection> MakeProjection(const SegmentReader& reader, size_t components,
                                                 const ColumnSet& requested) {
  auto made = std::make_shared<Projection>();
  made->requested = requested;
  made->components = components;
  made->wanted = Applicable(components, requested);
  made->closed = Applicable(components, reader.Close(made->wanted));
  ForEachColumn(made->closed, [&](ColumnId id) {
    const absl::StatusOr<const ColumnDecoder*> decoder = reader.FindColumn(id);
    made->status.Update(decoder.status());
    if (!decoder.ok()) return;
    made->columns.push_back({id, *decoder});
    made->sequential = made->sequential || (*decoder)->sequential();
  });
  return made;
}

/// Makes room for `columns` of an image, as wide as they are.
void ResetPlanes(const ImageGeometry& geometry, size_t ordinal, std::span<const PlannedColumn> columns,
                 std::vector<CoefficientPlanes>& planes) {
  std::array<FrequencySet, kComponentsMax> kept;
  std::array<FrequencySet, kComponentsMax> narrow;
  for (const PlannedColumn& column : columns) {
    kept[column.id.component].Insert(column.id.frequency);
    if (column.decoder->IsNarrow(ordinal)) narrow[column.id.component].Insert(column.id.frequency);
  }
  planes.resize(geometry.components.size());
  for (size_t c = 0; c < planes.size(); ++c) planes[c].Reset(geometry.components[c].grid, kept[c], narrow[c]);
}

}  // namespace

/// One image that was asked for.
struct SegmentDecoder::Job {
  size_t index;  ///< of the request
  size_t ordinal;
  std::shared_ptr<const Projection> projection;
};

namespace {

/// One image in memory.
struct Slot {
  explicit Slot(SimdLevel level)
      : contexts{ContextPlanes(level), ContextPlanes(level), ContextPlanes(level), ContextPlanes(level)} {}

  std::vector<CoefficientPlanes> planes;
  std::array<ContextPlanes, kComponentsMax> contexts;
  std::vector<PlannedColumn> applicable;

  void Start(const SegmentReader& reader, size_t ordinal, std::span<const PlannedColumn> columns) {
    const ImageGeometry& geometry = reader.images()[ordinal].geometry;
    applicable.clear();
    for (const PlannedColumn& column : columns) {
      if (column.id.component < geometry.components.size()) applicable.push_back(column);
    }
    ResetPlanes(geometry, ordinal, applicable, planes);
    for (size_t c = 0; c < planes.size(); ++c) contexts[c].Reset(planes[c]);
  }

  /// The image's part in decoding a column, which it has.
  DecodeTarget Target(ColumnId id, size_t ordinal, ColumnCursor* cursor) {
    DecodeTarget target{.image = ordinal, .planes = &planes[id.component], .status = {}};
    target.contexts = &contexts[id.component];
    if (id.component > 0 && planes[id.component - 1u].grid() == planes[id.component].grid())
      target.contexts_of_previous = &contexts[id.component - 1u];
    target.cursor = cursor;
    return target;
  }
};

}  // namespace

/// A substream that is being decoded, image by image: what is in memory stays in cache.
struct SegmentDecoder::Strand {
  explicit Strand(SimdLevel level) : slot(level), cursors(kColumnsMax) {}

  std::vector<Job> jobs;  ///< ascending by ordinal
  size_t next_job = 0;
  size_t next_image = 0;  ///< ordinal
  size_t images_end = 0;  ///< of the substream
  ColumnSet closed;       ///< of all jobs
  std::vector<PlannedColumn> columns;
  ColumnSet failed;  ///< so far
  absl::Status failure;

  Slot slot;
  std::vector<ColumnCursor> cursors;  ///< a column

  void Begin(const SegmentReader& reader, std::vector<Job> of_substream, size_t substream) {
    jobs = std::move(of_substream);
    std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.ordinal < b.ordinal; });
    next_job = 0;
    next_image = substream * reader.images_per_substream();
    images_end = std::min(next_image + reader.images_per_substream(), reader.images().size());
    closed = {};
    failed = {};
    failure = absl::OkStatus();
    for (const Job& job : jobs) closed |= job.projection->closed;
    columns.clear();
    ForEachColumn(closed, [&](ColumnId id) {
      const ColumnDecoder* const decoder = *reader.FindColumn(id);
      columns.push_back({id, decoder});
      if (!decoder->sequential()) return;
      const absl::Status status = decoder->StartSubstream(substream, cursors[ColumnIndex(id)]);
      if (!status.ok()) Fail(id, status);
    });
  }

  bool done() const { return next_job == jobs.size(); }

  void Fail(ColumnId id, const absl::Status& status) {
    failed.Insert(id);
    if (failure.ok()) failure = status;
  }

  void StartImage(const SegmentReader& reader) { slot.Start(reader, next_image, columns); }

  /// Adds the image's part in decoding a column, if it has one.
  void AddTarget(ColumnId id, std::span<DecodeTarget> targets, size_t& count) {
    if (done() || !closed.Contains(id) || failed.Contains(id)) return;
    if (id.component < slot.planes.size())
      targets[count++] = slot.Target(id, next_image, &cursors[ColumnIndex(id)]);
  }

  /// Hands over what was asked for of the image just decoded.
  void Deliver(Consume consume) {
    if (next_image + 1 == images_end) Finish();
    for (; !done() && jobs[next_job].ordinal == next_image; ++next_job)
      DeliverJob(jobs[next_job], slot.planes, consume);
    ++next_image;
  }

 private:
  void DeliverJob(const Job& job, std::vector<CoefficientPlanes>& planes, Consume consume) {
    const bool is_wanted_again = next_job + 1 < jobs.size() && jobs[next_job + 1].ordinal == job.ordinal;
    std::vector<CoefficientPlanes> copy;
    if (is_wanted_again) copy = planes;
    std::vector<CoefficientPlanes>& delivered = is_wanted_again ? copy : planes;
    for (size_t c = 0; c < delivered.size(); ++c) delivered[c].Keep(job.projection->wanted.components[c]);
    consume(job.index, Intersect(job.projection->closed, failed) ? failure : absl::OkStatus(), delivered);
  }

  void Finish() {
    for (const PlannedColumn& column : columns) {
      if (!column.decoder->sequential() || failed.Contains(column.id)) continue;
      const absl::Status status = column.decoder->FinishSubstream(cursors[ColumnIndex(column.id)]);
      if (!status.ok()) Fail(column.id, status);
    }
  }
};

SegmentDecoder::SegmentDecoder(SimdLevel level) : level_(level) {}
SegmentDecoder::~SegmentDecoder() = default;

SegmentDecoder::Strand& SegmentDecoder::StrandAt(size_t index) {
  if (strands_[index] == nullptr) strands_[index] = std::make_unique<Strand>(level_);
  return *strands_[index];
}

void SegmentDecoder::DecodeAlone(const SegmentReader& reader, const Job& job, Consume consume) {
  std::vector<CoefficientPlanes>& planes = StrandAt(0).slot.planes;
  const Projection& projection = *job.projection;
  ResetPlanes(reader.images()[job.ordinal].geometry, job.ordinal, projection.columns, planes);
  absl::Status status;
  for (const PlannedColumn& column : projection.columns) {
    DecodeTarget target{.image = job.ordinal, .planes = &planes[column.id.component], .status = {}};
    column.decoder->Decode({&target, 1});
    if (!target.status.ok()) {
      status = std::move(target.status);
      break;
    }
  }
  consume(job.index, status, planes);
}

void SegmentDecoder::DecodeSubstreams(const SegmentReader& reader, std::span<Strand*> strands,
                                      Consume consume) {
  ColumnSet closed;
  for (const Strand* strand : strands) closed |= strand->closed;
  std::vector<PlannedColumn> columns;
  ForEachColumn(closed, [&](ColumnId id) { columns.push_back({id, *reader.FindColumn(id)}); });
  while (std::any_of(strands.begin(), strands.end(), [](const Strand* strand) { return !strand->done(); })) {
    for (Strand* strand : strands) {
      if (!strand->done()) strand->StartImage(reader);
    }
    for (const PlannedColumn& column : columns) {
      std::array<DecodeTarget, kStrands> targets;
      size_t count = 0;
      for (Strand* strand : strands) strand->AddTarget(column.id, targets, count);
      if (count == 0) continue;
      column.decoder->Decode(std::span(targets).first(count));
      for (size_t t = 0; t < count; ++t) {
        if (targets[t].status.ok()) continue;
        for (Strand* strand : strands) {
          if (targets[t].cursor == &strand->cursors[ColumnIndex(column.id)])
            strand->Fail(column.id, targets[t].status);
        }
      }
    }
    for (Strand* strand : strands) {
      if (!strand->done()) strand->Deliver(consume);
    }
  }
}

void SegmentDecoder::Decode(const SegmentReader& reader, std::span<const ImageRequest> requests,
                            Consume consume) {
  std::vector<std::pair<size_t, std::vector<Job>>> substreams;  // in the order of first use
  std::shared_ptr<const Projection> projection;
  for (size_t index = 0; index < requests.size(); ++index) {
    const ImageRequest& request = requests[index];
    if (request.ordinal >= reader.images().size()) {
      std::vector<CoefficientPlanes> none;
      consume(index,
              MakeError(absl::StatusCode::kInternal, "ORDINAL_OUT_OF_RANGE",
                        fmt::format("image {} of a segment of {}", request.ordinal, reader.images().size())),
              none);
      continue;
    }
    const size_t components = reader.images()[request.ordinal].geometry.components.size();
    if (projection == nullptr || projection->components != components ||
        projection->requested != request.columns) {
      projection = MakeProjection(reader, components, request.columns);
    }
    if (!projection->status.ok()) {
      std::vector<CoefficientPlanes> none;
      consume(index, projection->status, none);
      continue;
    }
    const Job job{index, request.ordinal, projection};
    if (!projection->sequential) {
      DecodeAlone(reader, job, consume);
      continue;
    }
    const size_t substream = job.ordinal / reader.images_per_substream();
    auto of_substream = std::find_if(substreams.begin(), substreams.end(),
                                     [&](const auto& entry) { return entry.first == substream; });
    if (of_substream == substreams.end()) of_substream = substreams.insert(of_substream, {substream, {}});
    of_substream->second.push_back(job);
  }
  for (size_t s = 0; s < substreams.size(); s += kStrands) {
    std::array<Strand*, kStrands> strands{};
    const size_t count = std::min(kStrands, substreams.size() - s);
    for (size_t t = 0; t < count; ++t) {
      auto& [substream, jobs] = substreams[s + t];
      strands[t] = &StrandAt(t);
      strands[t]->Begin(reader, std::move(jobs), substream);
    }
    DecodeSubstreams(reader, std::span(strands).first(count), consume);
  }
  ReleaseMemory();
}

void SegmentDecoder::ReleaseMemory() {
  for (auto& strand : strands_) {
    if (strand == nullptr) continue;
    size_t bytes = 0;
    for (const CoefficientPlanes& planes : strand->slot.planes) bytes += planes.bytes();
    if (bytes > kKeptBytesMax) strand.reset();
  }
}

}  // namespace freqstore
