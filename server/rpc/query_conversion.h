// Rows, plans and measures as messages.
#pragma once

#include <string>

#include "freqstore/v1/query.pb.h"
#include "server/exec/exec_counters.h"
#include "server/plan/plan_summary.h"
#include "server/rpc/query_builder.h"

namespace freqstore {

void ToProto(const InferQuery& query, InferRow row, v1::InferResult& proto);
void ToProto(ScanRow row, v1::ScanRow& proto);
void ToProto(const Measures& measures, v1::Measures& proto);
void ToProto(const ExecCounters& counters, v1::QueryStats& proto);
void ToProto(const QueryPlan& plan, const PlanSummary& summary, v1::Plan& proto);

}  // namespace freqstore
