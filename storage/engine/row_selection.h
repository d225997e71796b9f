// The rows of a snapshot that a query, an export or a list is about.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "storage/attribute/predicate.h"
#include "storage/base/row_set.h"
#include "storage/engine/dataset_snapshot.h"

namespace freqstore {

struct PartRows {
  size_t part = 0;  ///< index into the snapshot's parts
  RowSet rows;
  /// Not OK if the attributes that decide cannot be read: then `rows` are all that there are.
  absl::Status status;
};

struct FailedRow {
  std::string image_id;
  absl::Status status;
};

struct RowSelection {
  std::vector<PartRows> parts;    ///< ascending; none without rows
  std::vector<FailedRow> failed;  ///< ids that were asked for and do not exist
  size_t segments_skipped = 0;    ///< in which no row matches

  uint64_t count() const;
};

/// The images of `image_ids`, each once, or (none given) all for which `predicate` holds.
RowSelection SelectRows(const DatasetSnapshot& snapshot, std::span<const std::string> image_ids,
                        const Predicate& predicate = Predicate::All());

}  // namespace freqstore
