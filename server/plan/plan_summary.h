// What a whole plan comes to, for explain.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "server/plan/cost_model.h"
#include "server/plan/measures.h"
#include "server/plan/planner.h"
#include "server/plan/query_plan.h"

namespace freqstore {

/// Images that are read alike.
struct CutGroup {
  int cover = 0;  ///< 0 for scans
  ImageCut cut;
  uint64_t images = 0;
};

struct PlanSummary {
  uint64_t images = 0;
  uint64_t segments = 0;
  uint64_t delta_images = 0;
  uint64_t stored_bytes = 0;                           ///< of all columns of the parts that are read
  uint64_t file_bytes = 0;                             ///< of the JPEG files of the images
  std::vector<std::pair<ColumnId, uint64_t>> columns;  ///< bytes to be read of each, over all segments
  std::vector<CutGroup> cuts;                          ///< most images first
  Measures estimated;
};

/// Plans every part, so it reads the rows of all; they are not kept.
PlanSummary Summarize(const QueryPlan& plan, const CostModel& costs, size_t workers);

}  // namespace freqstore
