// Query requests to plans.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "freqstore/v1/query.pb.h"
#include "server/exec/infer_operator.h"
#include "server/exec/scan_operator.h"
#include "server/plan/planner.h"
#include "server/rpc/service_context.h"

namespace freqstore {

struct InferQuery {
  using Queue = InferQueue;
  std::shared_ptr<const QueryPlan> plan;
  std::shared_ptr<const Model> model;
  storage::v1::ModelMeta meta;
  InferOptions options;
};

struct ScanQuery {
  using Queue = ScanQueue;
  std::shared_ptr<const QueryPlan> plan;
};

/// Check and plan a request. Errors: NOT_FOUND of dataset or model; INVALID_ARGUMENT (INVALID_FIDELITY,
/// INVALID_SCALE, NO_OUTPUT, NOT_A_CLASSIFIER), and those of BuildRows.
absl::StatusOr<InferQuery> BuildQuery(ServiceContext& services, const v1::InferRequest& request);
absl::StatusOr<ScanQuery> BuildQuery(ServiceContext& services, const v1::ScanRequest& request);

/// A query at work.
template <typename Queue>
struct RunningQuery {
  std::shared_ptr<const QueryPlan> plan;
  std::shared_ptr<Pipeline> pipeline;
  std::shared_ptr<Queue> queue;
  std::shared_ptr<ExecCounters> counters;
};

RunningQuery<InferQueue> StartQuery(ServiceContext& services, const InferQuery& query);
RunningQuery<ScanQueue> StartQuery(ServiceContext& services, const ScanQuery& query);

}  // namespace freqstore
