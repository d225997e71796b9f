// From the rows of a query to what is read of them: which frequencies of each image, which columns.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device/device.h"
#include "server/plan/measures.h"
#include "server/plan/query_plan.h"
#include "storage/engine/dataset_snapshot.h"

namespace freqstore {

/// What is read of one part, and for which of its images.
struct PlannedPart {
  size_t part = 0;      ///< index into the snapshot's parts
  absl::Status status;  ///< not OK if the part cannot be read: its images fail, the others do not
  ImageRows rows;       ///< null if they cannot be read
  std::vector<DecodeRequest> requests;
  std::vector<int> covers;    ///< one a request; 0 for scans
  ColumnSet columns;          ///< closed
  uint64_t column_bytes = 0;  ///< of these columns
  WorkAmounts work;
};

/// Bytes of result that an image gives, for bounding what is in flight.
uint64_t ResultBytes(const QueryOutput& output, const ImageRecord& image, const ImageCut& cut);

/// Plans element `index` of the plan's selected parts; reads its rows. Thread-safe.
PlannedPart PlanPart(const QueryPlan& plan, size_t index);

}  // namespace freqstore
