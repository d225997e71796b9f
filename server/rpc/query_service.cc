#include "server/rpc/query_service.h"

#include <optional>

#include "absl/synchronization/notification.h"
#include "server/plan/explain.h"
#include "server/rpc/query_builder.h"
#include "server/rpc/query_conversion.h"
#include "server/rpc/row_stream.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

struct AddInferRow {
  void operator()(const InferQuery& query, InferRow row, v1::InferResponse& response) const {
    ToProto(query, std::move(row), *response.add_results());
  }
};

struct AddScanRow {
  void operator()(const ScanQuery& /*query*/, ScanRow row, v1::ScanResponse& response) const {
    ToProto(std::move(row), *response.add_rows());
  }
};

/// Runs a query to its end, makes the messages that a client would get, and throws them away. Stops early if
/// the caller has gone.
template <typename Response, typename AddRow, typename Query>
Measures RunAndDiscard(ServiceContext& services, const Query& query,
                       const grpc::CallbackServerContext& context) {
  auto running = StartQuery(services, query);
  while (true) {
    auto ready = std::make_shared<absl::Notification>();
    auto taken = running.queue->Take(1024, uint64_t{1} << 20, [ready] { ready->Notify(); });
    if (!taken.rows.empty()) {
      StageTimer timer(running.counters->send_ns);
      Response response;
      for (auto& row : taken.rows) AddRow()(query, std::move(row), response);
      running.counters->result_bytes += response.SerializeAsString().size();
    }
    if (taken.ended) break;
    if (context.IsCancelled()) {
      running.pipeline->Cancel();
      break;
    }
    if (taken.rows.empty()) {
      ready->WaitForNotificationWithTimeout(absl::Milliseconds(100));
    } else {
      taken = {};
      running.pipeline->OnOutputDrained();
    }
  }
  const Measures measures = running.counters->ToMeasures();
  services.costs->Observe(running.pipeline->planned_work(), measures);
  return measures;
}

template <typename Response, typename AddRow, typename Query>
void Fill(ServiceContext& services, const Query& query, bool analyze,
          const grpc::CallbackServerContext& context, v1::ExplainResponse& response) {
  const ExplainContext explain{services.exec.workers->size(), services.device_name,
                               services.limits.pipeline.batch_images};
  // Before it runs: it teaches the cost model.
  const PlanSummary summary = Summarize(*query.plan, *services.costs, services.exec.workers->size());
  std::optional<Measures> actual;
  if (analyze) actual = RunAndDiscard<Response, AddRow>(services, query, context);
  v1::Plan& plan = *response.mutable_plan();
  ToProto(*query.plan, summary, plan);
  plan.set_workers(static_cast<uint32_t>(explain.workers));
  plan.set_device(explain.device);
  plan.set_batch_images(explain.batch_images);
  if (actual) ToProto(*actual, *plan.mutable_actual());
  response.set_text(ExplainText(*query.plan, summary, explain, actual));
}

}  // namespace

grpc::ServerWriteReactor<v1::InferResponse>* QueryService::Infer(grpc::CallbackServerContext* /*context*/,
                                                                 const v1::InferRequest* request) {
  return RowStream<InferQuery, v1::InferRequest, v1::InferResponse, AddInferRow>::Start(services_, request,
                                                                                        {});
}

grpc::ServerWriteReactor<v1::ScanResponse>* QueryService::Scan(grpc::CallbackServerContext* /*context*/,
                                                               const v1::ScanRequest* request) {
  return RowStream<ScanQuery, v1::ScanRequest, v1::ScanResponse, AddScanRow>::Start(services_, request, {});
}

grpc::ServerUnaryReactor* QueryService::Explain(grpc::CallbackServerContext* context,
                                                const v1::ExplainRequest* request,
                                                v1::ExplainResponse* response) {
  return Answer(services_, context, [this, context, request, response]() -> absl::Status {
    if (request->has_infer()) {
      ASSIGN_OR_RETURN(const InferQuery query, BuildQuery(*services_, request->infer()));
      Fill<v1::InferResponse, AddInferRow>(*services_, query, request->analyze(), *context, *response);
    } else {
      ASSIGN_OR_RETURN(const ScanQuery query, BuildQuery(*services_, request->scan()));
      Fill<v1::ScanResponse, AddScanRow>(*services_, query, request->analyze(), *context, *response);
    }
    return absl::OkStatus();
  });
}

}  // namespace freqstore
