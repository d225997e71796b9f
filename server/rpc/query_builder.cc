#include "server/rpc/query_builder.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "server/rpc/input_spec_conversion.h"
#include "server/rpc/resource_name.h"
#include "server/rpc/selection_builder.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

/// Two substreams, which decode side by side. No model limits what a scan takes at once.
constexpr uint32_t kScanBatchImages = 32;

absl::StatusOr<Fidelity> ToFidelity(const v1::Fidelity& proto) {
  switch (proto.level()) {
    case v1::Fidelity::LEVEL_EXACT:
      return Fidelity{Fidelity::Level::kExact, 0};
    case v1::Fidelity::LEVEL_UNSPECIFIED:
    case v1::Fidelity::LEVEL_STANDARD:
      return Fidelity{Fidelity::Level::kStandard, 0};
    case v1::Fidelity::LEVEL_REDUCED:
      return Fidelity{Fidelity::Level::kReduced, 0};
    case v1::Fidelity::LEVEL_LOSSY:
      if (proto.lossy_side() >= 1 && proto.lossy_side() <= 8) {
        return Fidelity{Fidelity::Level::kLossy, static_cast<int>(proto.lossy_side())};
      }
      break;
    default:
      break;
  }
  return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_FIDELITY",
                   "fidelity is exact, standard, reduced or lossy:N with N from 1 to 8");
}

absl::StatusOr<QueryOutput> ToOutput(const v1::ScanRequest& request) {
  const auto in_range = [](uint32_t k) { return k >= 1 && k <= 8; };
  switch (request.output_case()) {
    case v1::ScanRequest::kPixels:
      if (!in_range(request.pixels().scale())) break;
      return ReducedPixels{static_cast<int>(request.pixels().scale()),
                           !request.pixels().ignore_orientation()};
    case v1::ScanRequest::kCoefficients:
      if (!in_range(request.coefficients().side())) break;
      return LowCoefficients{static_cast<int>(request.coefficients().side())};
    default:
      return MakeError(absl::StatusCode::kInvalidArgument, "NO_OUTPUT",
                       "say what to scan: pixels or coefficients");
  }
  return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_SCALE", "scale and side are from 1 to 8");
}

template <typename Request>
absl::StatusOr<std::shared_ptr<const QueryPlan>> MakePlan(std::shared_ptr<const DatasetSnapshot> snapshot,
                                                          QueryOutput output, const Request& request) {
  ASSIGN_OR_RETURN(SelectedRows selected, BuildRows(*snapshot, request.image_ids(), request.filter()));
  return std::make_shared<const QueryPlan>(QueryPlan{std::move(snapshot), std::move(output),
                                                     std::move(selected.filter), std::move(selected.rows)});
}

template <typename Queue>
RunningQuery<Queue> Prepare(const ServiceContext& services, std::shared_ptr<const QueryPlan> plan) {
  RunningQuery<Queue> running;
  running.plan = std::move(plan);
  running.queue = std::make_shared<Queue>(services.limits.stream_output_bytes_max);
  running.counters = std::make_shared<ExecCounters>();
  return running;
}

template <typename Queue>
void Launch(const ServiceContext& services, const PipelineOptions& options,
            std::shared_ptr<BatchOperator> batch_operator, RunningQuery<Queue>& running) {
  running.pipeline = std::make_shared<Pipeline>(services.exec, options, running.plan,
                                                std::move(batch_operator), running.counters);
  running.pipeline->Start();
}

}  // namespace

absl::StatusOr<InferQuery> BuildQuery(ServiceContext& services, const v1::InferRequest& request) {
  ASSIGN_OR_RETURN(const std::string dataset, ParseDatasetName(request.dataset()));
  ASSIGN_OR_RETURN(const std::string model_name, ParseModelName(request.model()));
  ModelInput input;
  ASSIGN_OR_RETURN(input.fidelity, ToFidelity(request.fidelity()));
  ASSIGN_OR_RETURN(ModelCache::Found found, services.models->Find(model_name));
  ASSIGN_OR_RETURN(auto snapshot, services.engine->Snapshot(dataset));
  if (!request.raw_output() && !IsClassifier(*found.model)) {
    return MakeError(absl::StatusCode::kInvalidArgument, "NOT_A_CLASSIFIER",
                     fmt::format("output '{}' of models/{} is not one score a class; ask for the raw output",
                                 found.model->outputs().front().name, model_name));
  }
  InferQuery query;
  query.options.raw_output = request.raw_output();
  query.options.top = std::clamp<uint32_t>(request.top(), 1, 1000);
  query.options.batch_images = services.limits.pipeline.batch_images;
  input.model = model_name;
  input.render = ToRenderSpec(found.meta.input_spec(), !request.ignore_orientation());
  input.seconds_per_image = found.meta.seconds_per_image();
  input.result_bytes_per_image = InferRowBytes(*found.model, query.options);
  ASSIGN_OR_RETURN(query.plan, MakePlan(std::move(snapshot), std::move(input), request));
  query.model = std::move(found.model);
  query.meta = std::move(found.meta);
  return query;
}

absl::StatusOr<ScanQuery> BuildQuery(ServiceContext& services, const v1::ScanRequest& request) {
  ASSIGN_OR_RETURN(const std::string dataset, ParseDatasetName(request.dataset()));
  ASSIGN_OR_RETURN(QueryOutput output, ToOutput(request));
  ASSIGN_OR_RETURN(auto snapshot, services.engine->Snapshot(dataset));
  ScanQuery query;
  ASSIGN_OR_RETURN(query.plan, MakePlan(std::move(snapshot), std::move(output), request));
  return query;
}

RunningQuery<InferQueue> StartQuery(ServiceContext& services, const InferQuery& query) {
  auto running = Prepare<InferQueue>(services, query.plan);
  Launch(services, services.limits.pipeline,
         std::make_shared<InferOperator>(query.plan, query.model, query.options, running.queue,
                                         running.counters),
         running);
  return running;
}

RunningQuery<ScanQueue> StartQuery(ServiceContext& services, const ScanQuery& query) {
  auto running = Prepare<ScanQueue>(services, query.plan);
  PipelineOptions options = services.limits.pipeline;
  options.batch_images = std::max(options.batch_images, kScanBatchImages);
  Launch(services, options,
         std::make_shared<ScanOperator>(query.plan, services.limits.row_bytes_max, running.queue,
                                        running.counters),
         running);
  return running;
}

}  // namespace freqstore
