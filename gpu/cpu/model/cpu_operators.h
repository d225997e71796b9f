// How the CPU runs each operator.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "gpu/cpu/model/plan_builder.h"
#include "gpu/model/node_context.h"

namespace freqstore {

/// Adds the steps of one node. May throw dnnl::error.
using LowerFunction = absl::Status (*)(PlanBuilder& builder, const NodeContext& context);

/// Null if the CPU has none.
LowerFunction FindLowering(std::string_view operator_name);

/// One file a family.
absl::Status LowerConv(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerGemm(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerMatMul(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerPool(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerReduceMean(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerActivation(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerArithmetic(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerSoftmax(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerReshape(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerUnchanged(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerConcat(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerTranspose(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerExpand(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerPad(PlanBuilder& builder, const NodeContext& context);
absl::Status LowerResize(PlanBuilder& builder, const NodeContext& context);

}  // namespace freqstore
