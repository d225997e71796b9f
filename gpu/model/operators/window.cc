#include "gpu/model/operators/window.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr int64_t kExtentMax = int64_t{1} << 20;

absl::StatusOr<std::vector<int64_t>> Extents(const NodeContext& context, std::string_view attribute,
                                             size_t count, int64_t least, std::vector<int64_t> otherwise) {
  std::vector<int64_t> values = context.attributes().Ints(attribute, std::move(otherwise));
  const bool in_range =
      std::ranges::all_of(values, [&](int64_t value) { return value >= least && value <= kExtentMax; });
  if (values.size() != count || !in_range) {
    return context.Invalid(fmt::format("attribute '{}' is {}; {} numbers from {} to {} are needed", attribute,
                                       ToString(values), count, least, kExtentMax));
  }
  return values;
}

/// Splits the padding that makes the output ceil(input / stride).
void PadSame(const std::vector<int64_t>& input, bool extra_at_end, Window& window) {
  for (size_t d = 0; d < input.size(); ++d) {
    const int64_t output = (input[d] + window.strides[d] - 1) / window.strides[d];
    const int64_t reach = (output - 1) * window.strides[d] + (window.kernel[d] - 1) * window.dilations[d] + 1;
    const int64_t total = std::max<int64_t>(0, reach - input[d]);
    window.pads_begin[d] = extra_at_end ? total / 2 : total - total / 2;
    window.pads_end[d] = total - window.pads_begin[d];
  }
}

}  // namespace

absl::StatusOr<Window> ResolveWindow(const NodeContext& context, std::vector<int64_t> kernel,
                                     bool ceil_mode) {
  RETURN_IF_ERROR(context.ExpectFloat(0, 3));
  const std::vector<int64_t> input(context.shape(0).begin() + 2, context.shape(0).end());
  const size_t dims = input.size();
  const std::vector<int64_t> ones(dims, 1);
  auto in_range = [](int64_t extent) { return extent >= 1 && extent <= kExtentMax; };
  if (kernel.size() != dims || !std::ranges::all_of(kernel, in_range) ||
      !std::ranges::all_of(input, in_range)) {
    return context.Invalid(fmt::format("a kernel of {} does not fit an input of {}", ToString(kernel),
                                       ToString(context.shape(0))));
  }
  Window window;
  window.kernel = std::move(kernel);
  ASSIGN_OR_RETURN(window.strides, Extents(context, "strides", dims, 1, ones));
  ASSIGN_OR_RETURN(window.dilations, Extents(context, "dilations", dims, 1, ones));
  ASSIGN_OR_RETURN(const std::vector<int64_t> pads,
                   Extents(context, "pads", 2 * dims, 0, std::vector<int64_t>(2 * dims, 0)));
  window.pads_begin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(dims));
  window.pads_end.assign(pads.begin() + static_cast<std::ptrdiff_t>(dims), pads.end());

  const std::string auto_pad = context.attributes().String("auto_pad", "NOTSET");
  if (auto_pad == "VALID") {
    window.pads_begin.assign(dims, 0);
    window.pads_end.assign(dims, 0);
  } else if (auto_pad != "NOTSET") {
    PadSame(input, auto_pad == "SAME_UPPER", window);
  }

  for (size_t d = 0; d < dims; ++d) {
    const int64_t reach = (window.kernel[d] - 1) * window.dilations[d] + 1;
    const int64_t room = input[d] + window.pads_begin[d] + window.pads_end[d] - reach;
    if (room < 0) {
      return context.Invalid(
          fmt::format("a window of {} is larger than the padded input {}", reach, room + reach));
    }
    const int64_t stride = window.strides[d];
    int64_t output = (ceil_mode ? room + stride - 1 : room) / stride + 1;
    if (ceil_mode && (output - 1) * stride >= input[d] + window.pads_begin[d]) --output;
    window.output.push_back(output);
  }
  return window;
}

}  // namespace freqstore
