// Activations as oneDNN writes them.
#pragma once

#include <vector>

#include <dnnl.hpp>

#include "gpu/model/graph.h"

namespace freqstore {

struct Eltwise {
  dnnl::algorithm algorithm;
  float alpha;
  float beta;
};

/// One after the other. `post_op` is not kAdd.
std::vector<Eltwise> EltwiseOf(const PostOp& post_op);

/// The post-ops of a node, a residual as the in-place sum with what the destination holds.
dnnl::post_ops PostOpsOf(const Node& node);

}  // namespace freqstore
