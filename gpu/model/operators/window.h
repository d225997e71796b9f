// The sliding window that convolutions and pools share.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "gpu/model/node_context.h"

namespace freqstore {

/// One element a spatial dimension. All extents are at most 2^20, so arithmetic on them cannot overflow.
struct Window {
  std::vector<int64_t> kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;  ///< 1 is dense
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;
  std::vector<int64_t> output;  ///< spatial size of the result
};

/// From the attributes strides, dilations, pads and auto_pad, for an input 0 of N x C x spatial. `ceil_mode`
/// rounds the output up; a last window that would begin in the end padding is dropped. Errors: INVALID_MODEL.
absl::StatusOr<Window> ResolveWindow(const NodeContext& context, std::vector<int64_t> kernel, bool ceil_mode);

}  // namespace freqstore
