#include "storage/engine/image_selection.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/dataset_snapshot.h"

namespace freqstore {
namespace {

absl::StatusOr<SelectedImages> SelectById(KvStore& kv, const DatasetView& view,
                                          std::span<const std::string> image_ids) {
  SelectedImages selected;
  for (const std::string& id : image_ids) {
    const absl::StatusOr<ImageLocation> location = LocateImage(kv, view, id);
    if (absl::IsNotFound(location.status())) {
      selected.missing.push_back(id);
      continue;
    }
    RETURN_IF_ERROR(location.status());
    if (location->segment_id == 0) {
      selected.delta_rows.push_back(location->row);
      continue;
    }
    const uint32_t images = view.FindSegment(location->segment_id)->meta->images();
    selected.segments.try_emplace(location->segment_id, images).first->second.Insert(location->ordinal);
  }
  std::ranges::sort(selected.delta_rows);
  selected.delta_rows.erase(std::unique(selected.delta_rows.begin(), selected.delta_rows.end()),
                            selected.delta_rows.end());
  return selected;
}

absl::StatusOr<SelectedImages> SelectByFilter(KvStore& kv, const DatasetView& view,
                                              const Predicate& predicate) {
  SelectedImages selected;
  ASSIGN_OR_RETURN(const auto snapshot, DatasetSnapshot::Take(&kv, view));
  for (const Part& part : snapshot->parts()) {
    ASSIGN_OR_RETURN(RowSet rows, snapshot->Select(part, predicate));
    if (rows.empty()) continue;
    if (part.in_delta()) {
      selected.delta_rows.push_back(part.delta->row);
    } else {
      selected.segments.emplace(part.segment->segment_id(), std::move(rows));
    }
  }
  return selected;
}

}  // namespace

uint64_t SelectedImages::count() const {
  uint64_t count = delta_rows.size();
  for (const auto& [segment, rows] : segments) count += rows.count();
  return count;
}

absl::StatusOr<ImageLocation> LocateImage(KvStore& kv, const DatasetView& view, std::string_view image_id) {
  const uint32_t dataset_id = view.meta.dataset_id();
  ASSIGN_OR_RETURN(const auto stored,
                   kv.Get(Family::kRows, keys::ImageId(dataset_id, image_id), view.snapshot.get()));
  if (!stored) {
    return MakeError(absl::StatusCode::kNotFound, "IMAGE_NOT_FOUND",
                     fmt::format("there is no image '{}' in dataset '{}'", image_id, view.meta.name()));
  }
  storage::v1::RowLocation location;
  const bool is_sound = [&] {
    if (!location.ParseFromString(*stored)) return false;
    if (location.segment_id() == 0) return location.row() != 0;
    const SegmentEntry* segment = view.FindSegment(location.segment_id());
    return segment != nullptr && location.ordinal() < segment->meta->images();
  }();
  if (!is_sound) {
    return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ROW",
                     fmt::format("the row of '{}' is damaged or points to nothing", image_id));
  }
  return ImageLocation{location.segment_id(), location.ordinal(), location.row()};
}

absl::StatusOr<SelectedImages> SelectImages(KvStore& kv, const DatasetView& view,
                                            const ImageSelection& selection) {
  if (const auto* ids = std::get_if<std::vector<std::string>>(&selection)) return SelectById(kv, view, *ids);
  return SelectByFilter(kv, view, std::get<ImageFilter>(selection).predicate);
}

}  // namespace freqstore
