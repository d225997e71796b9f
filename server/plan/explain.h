// A plan as text for people.
#pragma once

#include <optional>
#include <string>

#include "server/plan/plan_summary.h"
#include "server/plan/query_plan.h"

namespace freqstore {

struct ExplainContext {
  size_t workers = 1;
  std::string device;  ///< "cpu"
  uint32_t batch_images = 16;
};

/// Several lines, ending in a newline. With `actual`, measured figures stand beside the estimates.
std::string ExplainText(const QueryPlan& plan, const PlanSummary& summary, const ExplainContext& context,
                        const std::optional<Measures>& actual);

}  // namespace freqstore
