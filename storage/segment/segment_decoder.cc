#include "storage/segment/segment_decoder.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/codec/column_codec.h"
#include "storage/segment/projection.h"
#include "storage/segment/strand.h"

namespace freqstore {
namespace {

/// An image that took more memory than this does not leave it behind.
constexpr size_t kKeptBytesMax = size_t{32} << 20;

/// The jobs of one substream.
struct SubstreamJobs {
  size_t substream;
  bool is_sequential = false;
  std::vector<DecodeJob> jobs;
};

/// Sorts requests by substream, in the order of first use; those that cannot be served are answered.
std::vector<SubstreamJobs> Plan(const SegmentReader& reader, std::span<const ImageRequest> requests,
                                SegmentDecoder::Consume consume) {
  std::vector<SubstreamJobs> plan;
  std::shared_ptr<const Projection> projection;
  std::vector<CoefficientPlanes> none;
  for (size_t index = 0; index < requests.size(); ++index) {
    const ImageRequest& request = requests[index];
    if (request.ordinal >= reader.images().size()) {
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
      consume(index, projection->status, none);
      continue;
    }
    const size_t substream = request.ordinal / reader.images_per_substream();
    // Requests mostly come in order.
    auto found = std::find_if(plan.rbegin(), plan.rend(),
                              [&](const SubstreamJobs& of) { return of.substream == substream; });
    SubstreamJobs& of_substream =
        found != plan.rend() ? *found : plan.emplace_back(SubstreamJobs{.substream = substream, .jobs = {}});
    of_substream.is_sequential = of_substream.is_sequential || projection->is_sequential;
    of_substream.jobs.push_back({index, request.ordinal, projection});
  }
  return plan;
}

/// Decodes the next image of each strand.
void DecodeImages(const SegmentReader& reader, const ColumnSet& closed, std::span<Strand*> strands) {
  for (Strand* strand : strands) {
    if (!strand->done()) strand->StartImage();
  }
  ForEachColumn(closed, [&](ColumnId id) {
    std::array<DecodeTarget, kR32StrandsMax> targets;
    std::array<Strand*, kR32StrandsMax> owners{};
    size_t count = 0;
    for (Strand* strand : strands) {
      if (strand->MakeTarget(id, targets[count])) owners[count++] = strand;
    }
    if (count == 0) return;
    (*reader.FindColumn(id))->Decode(std::span(targets).first(count));
    for (size_t t = 0; t < count; ++t) {
      if (!targets[t].status.ok()) owners[t]->Fail(id, targets[t].status);
    }
  });
}

}  // namespace

SegmentDecoder::SegmentDecoder(SimdLevel level) : level_(level) {}
SegmentDecoder::~SegmentDecoder() = default;

Strand& SegmentDecoder::StrandAt(size_t index) {
  if (strands_[index] == nullptr) strands_[index] = std::make_unique<Strand>(level_);
  return *strands_[index];
}

void SegmentDecoder::Decode(const SegmentReader& reader, std::span<const ImageRequest> requests,
                            Consume consume) {
  std::vector<SubstreamJobs> plan = Plan(reader, requests, consume);
  for (size_t next = 0; next < plan.size();) {
    std::array<Strand*, kStrands> memory{};
    size_t count = 0;
    ColumnSet closed;
    bool is_sequential = false;
    // Side by side only where it helps: it takes twice the cache.
    do {
      SubstreamJobs& of_substream = plan[next++];
      Strand& strand = StrandAt(count);
      strand.Begin(reader, of_substream.substream, std::move(of_substream.jobs), consume);
      closed |= strand.closed();
      is_sequential = of_substream.is_sequential;
      memory[count++] = &strand;
    } while (is_sequential && count < kStrands && next < plan.size() && plan[next].is_sequential);

    const std::span<Strand*> strands = std::span(memory).first(count);
    const auto is_done = [](const Strand* strand) { return strand->done(); };
    while (!std::ranges::all_of(strands, is_done)) {
      DecodeImages(reader, closed, strands);
      for (Strand* strand : strands) {
        if (!strand->done()) strand->Deliver(consume);
      }
    }
  }
  ReleaseMemory();
}

void SegmentDecoder::ReleaseMemory() {
  for (auto& strand : strands_) {
    if (strand != nullptr && strand->bytes() > kKeptBytesMax) strand.reset();
  }
}

}  // namespace freqstore
