#include "storage/catalog/segment_state.h"

#include <utility>

#include "storage/base/status.h"
#include "storage/catalog/stored_attribute.h"

namespace freqstore {

storage::v1::SegmentState ToStored(const SegmentState& state) {
  storage::v1::SegmentState stored;
  if (!state.deleted.empty()) stored.set_deleted(state.deleted.Encode());
  stored.set_deleted_file_bytes(state.deleted_file_bytes);
  for (const auto& [attribute, zone] : state.zones) {
    storage::v1::AttributeZone& out = *stored.add_zones();
    out.set_attribute(attribute);
    out.set_present(zone.present);
    if (IsPresent(zone.min)) *out.mutable_min() = StoredValue(zone.min);
    if (IsPresent(zone.max)) *out.mutable_max() = StoredValue(zone.max);
  }
  stored.set_quarantine(state.quarantine);
  return stored;
}

absl::StatusOr<SegmentState> FromStored(const storage::v1::SegmentState& stored, size_t images) {
  SegmentState state(images);
  std::optional<RowSet> deleted = RowSet::Decode(AsBytes(stored.deleted()), images);
  if (!deleted) {
    return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CATALOG",
                     "a segment's state is of another number of images");
  }
  state.deleted = *std::move(deleted);
  state.deleted_file_bytes = stored.deleted_file_bytes();
  for (const storage::v1::AttributeZone& zone : stored.zones()) {
    state.zones.emplace(zone.attribute(), ZoneMap{.present = zone.present(),
                                                  .min = ValueOfStored(zone.min()),
                                                  .max = ValueOfStored(zone.max())});
  }
  state.quarantine = stored.quarantine();
  return state;
}

}  // namespace freqstore
