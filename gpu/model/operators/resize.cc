#include "gpu/model/operators/resize.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "gpu/model/operator_registry.h"
#include "storage/base/status.h"

namespace freqstore {

float ResizeGeometry::Source(size_t d, int64_t i) const {
  const auto x = static_cast<float>(i);
  switch (coordinates) {
    case Coordinates::kHalfPixel:
      return (x + 0.5F) / scale[d] - 0.5F;
    case Coordinates::kPytorchHalfPixel:
      return output[d] > 1 ? (x + 0.5F) / scale[d] - 0.5F : 0.0F;
    case Coordinates::kAlignCorners:
      return output[d] > 1 ? x * static_cast<float>(input[d] - 1) / static_cast<float>(output[d] - 1) : 0.0F;
    case Coordinates::kAsymmetric:
      return x / scale[d];
  }
  return 0;
}

int64_t ResizeGeometry::Nearest(size_t d, int64_t i) const {
  const float x = Source(d, i);
  float nearest = 0;
  switch (rounding) {
    case Rounding::kPreferFloor:
      nearest = std::ceil(x - 0.5F);
      break;
    case Rounding::kPreferCeil:
      nearest = std::floor(x + 0.5F);
      break;
    case Rounding::kFloor:
      nearest = std::floor(x);
      break;
    case Rounding::kCeil:
      nearest = std::ceil(x);
      break;
  }
  return std::clamp<int64_t>(static_cast<int64_t>(nearest), 0, input[d] - 1);
}

namespace {

constexpr float kScaleMax = 4096;

ResizeGeometry::Coordinates CoordinatesOf(const std::string& name) {
  if (name == "align_corners") return ResizeGeometry::Coordinates::kAlignCorners;
  if (name == "asymmetric") return ResizeGeometry::Coordinates::kAsymmetric;
  if (name == "pytorch_half_pixel") return ResizeGeometry::Coordinates::kPytorchHalfPixel;
  return ResizeGeometry::Coordinates::kHalfPixel;
}

ResizeGeometry::Rounding RoundingOf(const std::string& name) {
  if (name == "round_prefer_ceil") return ResizeGeometry::Rounding::kPreferCeil;
  if (name == "floor") return ResizeGeometry::Rounding::kFloor;
  if (name == "ceil") return ResizeGeometry::Rounding::kCeil;
  return ResizeGeometry::Rounding::kPreferFloor;
}

constexpr size_t kSizesInput = 3;

absl::StatusOr<std::vector<float>> GivenScales(const NodeContext& context, size_t input) {
  if (!context.HasInput(input) || ElementCount(context.shape(input)) == 0) return std::vector<float>();
  RETURN_IF_ERROR(context.ExpectConstant(input, "scales"));
  RETURN_IF_ERROR(context.ExpectFloat(input));
  auto values = context.constant(input)->values<float>();
  return std::vector<float>(values.begin(), values.end());
}

absl::Status CheckScales(const NodeContext& context, const std::vector<float>& scales) {
  const bool in_range = std::ranges::all_of(scales, [](float s) { return s > 0 && s <= kScaleMax; });
  if (scales.size() != 4 || !in_range) {
    return context.Invalid(fmt::format("four scales from above 0 to {} are needed", kScaleMax));
  }
  if (scales[0] != 1 || scales[1] != 1) {
    return UnsupportedNode(context.node(), "resizing the batch or the channels is not supported");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ResizeGeometry> ResolveResize(const NodeContext& context) {
  RETURN_IF_ERROR(context.ExpectFloat(0));
  if (context.rank(0) != 4) return UnsupportedNode(context.node(), "only four dimensions are supported");
  const bool old = context.opset() < 11;  // inputs X and scales; coordinates asymmetric, rounded down
  ASSIGN_OR_RETURN(std::vector<float> scales, GivenScales(context, old ? 1 : 2));
  std::vector<int64_t> sizes;
  if (context.HasInput(kSizesInput)) {
    ASSIGN_OR_RETURN(auto given, context.IntsParameter("", kSizesInput));
    sizes = std::move(given).value_or(sizes);
  }
  if (sizes.empty() == scales.empty() || (!sizes.empty() && sizes.size() != 4)) {
    return context.Invalid("either four scales or four sizes are needed");
  }
  for (size_t d = 0; d < sizes.size(); ++d) {
    scales.push_back(static_cast<float>(sizes[d]) / static_cast<float>(context.shape(0)[d]));
  }
  RETURN_IF_ERROR(CheckScales(context, scales));
  ResizeGeometry resize;
  resize.linear = context.attributes().String("mode", "nearest") == "linear";
  resize.coordinates = CoordinatesOf(
      context.attributes().String("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel"));
  resize.rounding =
      RoundingOf(context.attributes().String("nearest_mode", old ? "floor" : "round_prefer_floor"));
  for (size_t d = 0; d < 2; ++d) {
    resize.scale[d] = scales[d + 2];
    resize.input[d] = context.shape(0)[d + 2];
    const float scaled = static_cast<float>(resize.input[d]) * resize.scale[d];
    resize.output[d] = sizes.empty() ? static_cast<int64_t>(std::floor(scaled)) : sizes[d + 2];
  }
  return resize;
}

namespace {

absl::Status InferResize(NodeContext& context) {
  ASSIGN_OR_RETURN(const ResizeGeometry resize, ResolveResize(context));
  context.SetOutput(DataType::kFloat32,
                    {context.shape(0)[0], context.shape(0)[1], resize.output[0], resize.output[1]});
  return absl::OkStatus();
}

}  // namespace

void AddResizeOperators(OperatorRegistry& registry) {
  registry.Add(
      {.name = "Resize",
       .inputs_max = 4,
       .attributes = {IntAttribute("antialias", {int64_t{0}}),
                      StringAttribute("coordinate_transformation_mode",
                                      {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"}),
                      FloatAttribute("cubic_coeff_a"), IntAttribute("exclude_outside", {int64_t{0}}),
                      FloatAttribute("extrapolation_value"),
                      StringAttribute("keep_aspect_ratio_policy", {"stretch"}),
                      StringAttribute("mode", {"nearest", "linear"}),
                      StringAttribute("nearest_mode",
                                      {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})},
       .infer = InferResize});
}

}  // namespace freqstore
