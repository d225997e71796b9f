#include "storage/engine/verifier.h"

#include <string>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/engine/originals.h"
#include "storage/segment/segment_decoder.h"

namespace freqstore {
namespace {

absl::Status Stopping() {
  return MakeError(absl::StatusCode::kUnavailable, "SERVER_STOPPING",
                   "the server stops; verify again when it is back");
}

/// The part as if it were not quarantined.
Part Readable(const Part& part) {
  Part readable = part;
  if (part.in_delta() || part.state->quarantine.empty()) return readable;
  auto state = std::make_shared<SegmentState>(*part.state);
  state->quarantine.clear();
  readable.state = std::move(state);
  return readable;
}

/// Decodes every column of every image that is not deleted.
absl::Status DecodeAll(const DatasetSnapshot& snapshot, const Part& part, const ImageRows& rows) {
  ASSIGN_OR_RETURN(const auto loaded, snapshot.Load(part, rows, ColumnSet::All()));
  std::vector<ImageRequest> requests;
  for (const uint32_t ordinal : part.live().ToOrdinals()) requests.push_back({ordinal, ColumnSet::All()});
  absl::Status status;
  SegmentDecoder decoder;
  decoder.Decode(loaded->reader(), requests,
                 [&](size_t index, const absl::Status& decoded, std::vector<CoefficientPlanes>& /*planes*/) {
                   status.Update(Annotate(decoded, (*rows)[requests[index].ordinal].image_id));
                 });
  return status;
}

/// Rebuilds one of every `every` files, the first among them. Adds how many.
absl::Status CheckOriginals(const DatasetSnapshot& snapshot, const Part& part, uint32_t every,
                            uint64_t& originals) {
  std::vector<uint32_t> sample;
  const std::vector<uint32_t> ordinals = part.live().ToOrdinals();
  for (size_t i = 0; every != 0 && i < ordinals.size(); i += every) sample.push_back(ordinals[i]);
  absl::Status status;
  RETURN_IF_ERROR(ReadOriginalFiles(snapshot, part, sample, [&](uint32_t, absl::StatusOr<std::string> file) {
    status.Update(file.status());
    ++originals;
    return true;
  }));
  return status;
}

absl::Status CheckContent(const DatasetSnapshot& snapshot, const Part& part, uint32_t originals_every,
                          uint64_t& originals) {
  ASSIGN_OR_RETURN(const ImageRows rows, snapshot.ReadRows(part));
  RETURN_IF_ERROR(DecodeAll(snapshot, part, rows));
  RETURN_IF_ERROR(snapshot.ReadAllAttributes(part));
  return CheckOriginals(snapshot, part, originals_every, originals);
}

}  // namespace

std::shared_ptr<VerifyJob> Verifier::Start(const VerifyOptions& options) {
  absl::MutexLock lock(&mutex_);
  if (running_ != nullptr) return running_;
  running_ = std::make_shared<VerifyJob>();
  thread_.Submit([this, options, job = running_] { Run(*job, options); });
  return running_;
}

void Verifier::Run(VerifyJob& job, const VerifyOptions& options) {
  absl::Status status = CheckTables(job);
  for (const storage::v1::DatasetMeta& dataset : catalog_->Datasets()) {
    if (!status.ok()) break;
    status = CheckDataset(job, options, dataset);
  }
  {
    absl::MutexLock lock(&mutex_);
    running_ = nullptr;
  }
  job.Update([&](VerifyProgress& progress) {
    progress.ended = true;
    progress.status = std::move(status);
  });
}

absl::Status Verifier::CheckTables(VerifyJob& job) {
  const absl::Status status = kv_->VerifyTables([&](const KvTableCheck& table) {
    job.Update([&](VerifyProgress& progress) {
      ++progress.tables_checked;
      if (!table.status.ok()) {
        progress.damaged.push_back(
            fmt::format("table {} of family {}: {}", table.file, table.family, MessageOf(table.status)));
      }
    });
    return !stopping_;
  });
  return stopping_ ? Stopping() : status;
}

absl::Status Verifier::CheckDataset(VerifyJob& job, const VerifyOptions& options,
                                    const storage::v1::DatasetMeta& dataset) {
  absl::StatusOr<DatasetView> view = catalog_->View(dataset.dataset_id());
  if (!view.ok()) return absl::OkStatus();  // deleted meanwhile
  const absl::StatusOr<std::shared_ptr<const DatasetSnapshot>> snapshot =
      DatasetSnapshot::Take(kv_, *std::move(view));
  if (!snapshot.ok()) {
    job.Update([&](VerifyProgress& progress) {
      progress.damaged.push_back(fmt::format("dataset {}: {}", dataset.name(), MessageOf(snapshot.status())));
    });
    return absl::OkStatus();
  }
  job.Update([&](VerifyProgress& progress) {
    for (const Part& part : (*snapshot)->parts()) progress.segments_total += part.in_delta() ? 0 : 1;
    progress.images_total += (*snapshot)->image_count();
  });
  for (const Part& part : (*snapshot)->parts()) {
    if (stopping_) return Stopping();
    RETURN_IF_ERROR(CheckPart(job, options, **snapshot, part));
  }
  return absl::OkStatus();
}

absl::Status Verifier::CheckPart(VerifyJob& job, const VerifyOptions& options,
                                 const DatasetSnapshot& snapshot, const Part& part) {
  uint64_t originals = 0;
  const absl::Status content = CheckContent(snapshot, Readable(part), options.originals_every, originals);
  const std::string why = std::string(MessageOf(content));
  bool is_quarantined = false;
  bool is_released = false;
  if (!part.in_delta()) {
    is_quarantined = options.quarantine && !content.ok() && part.state->quarantine.empty();
    is_released = options.quarantine && content.ok() && !part.state->quarantine.empty();
    if (is_quarantined || is_released)
      RETURN_IF_ERROR(SetQuarantine(snapshot.dataset().dataset_id(), part.segment->segment_id(), why));
  }
  job.Update([&](VerifyProgress& progress) {
    progress.segments_done += part.in_delta() ? 0 : 1;
    progress.images_done += part.live_images();
    progress.originals += originals;
    progress.quarantined += is_quarantined ? 1 : 0;
    progress.released += is_released ? 1 : 0;
    if (content.ok()) return;
    const std::string name = part.in_delta() ? fmt::format("delta row {}", part.delta->row)
                                             : fmt::format("segment {}", part.segment->segment_id());
    progress.damaged.push_back(fmt::format("dataset {}, {}: {}", snapshot.dataset().name(), name, why));
  });
  return absl::OkStatus();
}

absl::Status Verifier::SetQuarantine(uint32_t dataset_id, uint64_t segment_id, const std::string& why) {
  const absl::Status status = catalog_->Transact(dataset_id, [&](DatasetTransaction& transaction) {
    const SegmentEntry* segment = transaction.view().FindSegment(segment_id);
    if (segment == nullptr) return absl::OkStatus();  // rewritten meanwhile
    SegmentState state = *segment->state;
    state.quarantine = why;
    transaction.UpdateState(segment_id, std::move(state));
    transaction.batch().set_frees_space();
    return absl::OkStatus();
  });
  return absl::IsNotFound(status) ? absl::OkStatus() : status;
}

}  // namespace freqstore
