#include "storage/engine/image_deletion.h"

#include <set>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/content_index.h"
#include "storage/engine/deletion_log.h"
#include "storage/engine/delta.h"
#include "storage/engine/image_rows.h"

namespace freqstore {
namespace {

class Deleter {
 public:
  Deleter(KvStore& kv, DatasetTransaction& transaction) : kv_(kv), transaction_(transaction) {}

  absl::Status DeleteFromSegment(const SegmentEntry& segment, const RowSet& rows) {
    ASSIGN_OR_RETURN(
        const std::vector<ImageRecord> records,
        ReadImageTable(kv_, transaction_.dataset_id(), *segment.meta, transaction_.view().snapshot.get()));
    SegmentState state = *segment.state;
    absl::Status status;
    rows.ForEach([&](size_t ordinal) {
      state.deleted_file_bytes += records[ordinal].file_bytes;
      status.Update(Forget(records[ordinal]));
    });
    state.deleted |= rows;
    transaction_.UpdateState(segment.id(), std::move(state));
    return status;
  }

  absl::Status DeleteFromDelta(uint64_t row) {
    ASSIGN_OR_RETURN(const auto entry,
                     FindDelta(kv_, transaction_.dataset_id(), row, transaction_.view().snapshot.get()));
    if (entry) RETURN_IF_ERROR(Forget(entry->record));
    RemoveDeltaRow(transaction_.dataset_id(), row, transaction_.batch());
    return absl::OkStatus();
  }

 private:
  absl::Status Forget(const ImageRecord& image) {
    const uint32_t dataset_id = transaction_.dataset_id();
    transaction_.batch().Delete(Family::kRows, keys::ImageId(dataset_id, image.image_id));
    return RemoveContent(kv_, dataset_id, image.sha256, image.image_id, transaction_.view().snapshot.get(),
                         transaction_.batch());
  }

  KvStore& kv_;
  DatasetTransaction& transaction_;
};

std::string ForPeople(const ImageSelection& selection) {
  if (const auto* filter = std::get_if<ImageFilter>(&selection)) return filter->text;
  const auto& ids = std::get<std::vector<std::string>>(selection);
  return ids.size() == 1 ? ids.front() : fmt::format("'{}' and {} more", ids.front(), ids.size() - 1);
}

}  // namespace

absl::StatusOr<DeletionResult> DeleteImages(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                            const ImageSelection& selection) {
  DeletionResult result;
  const absl::Status status =
      catalog.Transact(dataset_id, [&](DatasetTransaction& transaction) -> absl::Status {
        ASSIGN_OR_RETURN(SelectedImages selected, SelectImages(kv, transaction.view(), selection));
        result.missing = std::move(selected.missing);
        result.images = selected.count();
        if (result.images == 0) return absl::OkStatus();
        transaction.batch().set_frees_space();  // on a full disk this is how room is made
        Deleter deleter(kv, transaction);
        std::set<uint64_t> segments;
        for (const auto& [segment_id, rows] : selected.segments) {
          RETURN_IF_ERROR(deleter.DeleteFromSegment(*transaction.view().FindSegment(segment_id), rows));
          segments.insert(segment_id);
        }
        for (const uint64_t row : selected.delta_rows) RETURN_IF_ERROR(deleter.DeleteFromDelta(row));
        ASSIGN_OR_RETURN(result.deletion_id, LogDeletion(kv, ForPeople(selection), result.images,
                                                         std::move(segments), transaction));
        return absl::OkStatus();
      });
  RETURN_IF_ERROR(status);
  return result;
}

}  // namespace freqstore
