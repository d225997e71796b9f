// The passes that turn an imported graph into the one that devices run. Each keeps the graph valid and its
// results the same up to float rounding; FromOnnx runs them in the order they stand here.
#pragma once

#include "absl/status/status.h"
#include "gpu/model/graph.h"
#include "gpu/model/specialization.h"

namespace freqstore {

/// Computes what depends on constants alone. INVALID_MODEL beyond the budget, and what operators say.
absl::Status FoldConstants(Graph& graph, FoldBudget& budget);

/// Drops nodes whose results nobody reads, and constants that nothing refers to any more.
void RemoveDeadNodes(Graph& graph);

/// Sets type and shape of every value: kBatchDimension where a dimension varies with the batch. `input` is
/// the shape of the one input, its first dimension ignored. Also counts multiply-accumulates an image.
/// Errors: as Specialize, INVALID_MODEL for values of more than 2^28 elements an image, and UNSUPPORTED_SHAPE
/// if the graph holds for some fixed batch only or its outputs are not one row an image.
absl::Status AnnotateShapes(Graph& graph, const Shape& input, int64_t& macs_per_image);

/// Drops Identity, Dropout and casts to the same type.
void RemovePassThrough(Graph& graph);

/// Multiplies a BatchNormalization into the weights of the Conv before it, or else makes it a Mul and an Add.
absl::Status ReplaceBatchNormalization(Graph& graph);

/// Multiplies Gemm's alpha and beta into constant operands.
void FoldGemmFactors(Graph& graph);

/// Makes an Add of equal shapes a post-op of the Conv that makes one of its operands.
void FuseResiduals(Graph& graph);

/// Makes an activation a post-op of the Conv or Gemm before it.
void FuseActivations(Graph& graph);

}  // namespace freqstore
