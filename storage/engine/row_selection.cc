#include "storage/engine/row_selection.h"

#include <map>
#include <utility>

namespace freqstore {
namespace {

RowSelection SelectById(const DatasetSnapshot& snapshot, std::span<const std::string> image_ids) {
  RowSelection selection;
  std::map<size_t, RowSet> by_part;
  for (const std::string& id : image_ids) {
    const absl::StatusOr<DatasetSnapshot::Position> position = snapshot.Find(id);
    if (!position.ok()) {
      selection.failed.push_back({id, position.status()});
      continue;
    }
    const uint32_t images = snapshot.parts()[position->part].images;
    by_part.try_emplace(position->part, images).first->second.Insert(position->ordinal);
  }
  for (auto& [part, rows] : by_part) selection.parts.push_back({part, std::move(rows), {}});
  return selection;
}

}  // namespace

uint64_t RowSelection::count() const {
  uint64_t count = 0;
  for (const PartRows& part : parts) count += part.rows.count();
  return count;
}

RowSelection SelectRows(const DatasetSnapshot& snapshot, std::span<const std::string> image_ids,
                        const Predicate& predicate) {
  if (!image_ids.empty()) return SelectById(snapshot, image_ids);
  RowSelection selection;
  for (size_t i = 0; i < snapshot.parts().size(); ++i) {
    const Part& part = snapshot.parts()[i];
    absl::StatusOr<RowSet> rows = snapshot.Select(part, predicate);
    if (!rows.ok()) {
      selection.parts.push_back({i, part.live(), rows.status()});
    } else if (!rows->empty()) {
      selection.parts.push_back({i, *std::move(rows), {}});
    } else if (!part.in_delta()) {
      ++selection.segments_skipped;
    }
  }
  return selection;
}

}  // namespace freqstore
