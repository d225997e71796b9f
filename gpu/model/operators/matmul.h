// Gemm, as every device resolves it.
#pragma once

#include "absl/status/statusor.h"
#include "gpu/model/node_context.h"

namespace freqstore {

/// result (rows x columns) = alpha * A' * B' + beta * C, where ' transposes what is stored transposed.
struct GemmGeometry {
  bool a_transposed = false;
  bool b_transposed = false;
  float alpha = 1;
  float beta = 1;
  int64_t rows = 0;
  int64_t depth = 0;
  int64_t columns = 0;
};

absl::StatusOr<GemmGeometry> ResolveGemm(const NodeContext& context);

}  // namespace freqstore
