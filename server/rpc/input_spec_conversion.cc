#include "server/rpc/input_spec_conversion.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr uint32_t kSideMax = 4096;
constexpr int kChannels = 3;

absl::Status Invalid(std::string_view message) {
  return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_INPUT_SPEC", message);
}

/// The size of one side: what the spec asks for, else what the graph fixes.
absl::StatusOr<uint32_t> ResolveSide(std::string_view name, uint32_t asked, int64_t fixed) {
  if (asked == 0 && fixed <= 0) {
    return Invalid(
        fmt::format("the model leaves its input's {0} open: give it as pixels.{0} in the input spec", name));
  }
  if (asked != 0 && fixed > 0 && asked != fixed) {
    return Invalid(fmt::format("the input spec says {} {}, the model's input has {}", name, asked, fixed));
  }
  const int64_t side = asked != 0 ? int64_t{asked} : fixed;
  if (side > kSideMax)
    return Invalid(fmt::format("the {} of the input is {}, above {}", name, side, kSideMax));
  return static_cast<uint32_t>(side);
}

absl::Status CheckChannelValues(std::string_view name, const google::protobuf::RepeatedField<float>& values) {
  const bool finite =
      std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
  if ((values.empty() || values.size() == kChannels) && finite) return absl::OkStatus();
  return Invalid(fmt::format("{} takes three finite values, one a channel, or none", name));
}

}  // namespace

absl::StatusOr<storage::v1::InputSpec> ResolveInputSpec(const v1::InputSpec& spec, const Model& model) {
  const std::vector<int64_t>& shape = model.input().shape;
  if (shape.size() != 4 || (shape[1] != kChannels && shape[1] != -1)) {
    return Invalid(
        fmt::format("the model's input '{}' has shape [{}]; image models take [N, 3, height, width]",
                    model.input().name, fmt::join(shape, ", ")));
  }
  storage::v1::InputSpec resolved;
  ASSIGN_OR_RETURN(const uint32_t height, ResolveSide("height", spec.height(), shape[2]));
  ASSIGN_OR_RETURN(const uint32_t width, ResolveSide("width", spec.width(), shape[3]));
  resolved.set_height(height);
  resolved.set_width(width);
  resolved.set_bgr(spec.bgr());
  if (spec.resize() == v1::InputSpec::RESIZE_SHORTEST) {
    if (spec.shortest() < std::max(width, height) || spec.shortest() > kSideMax) {
      return Invalid(fmt::format("shortest is {}: it must be from {} (the crop's longer side) to {}",
                                 spec.shortest(), std::max(width, height), kSideMax));
    }
    resolved.set_resize(storage::v1::InputSpec::RESIZE_SHORTEST);
    resolved.set_shortest(spec.shortest());
  } else {
    resolved.set_resize(storage::v1::InputSpec::RESIZE_STRETCH);
  }
  RETURN_IF_ERROR(CheckChannelValues("mean", spec.mean()));
  RETURN_IF_ERROR(CheckChannelValues("scale", spec.scale()));
  for (int c = 0; c < kChannels; ++c) {
    resolved.add_mean(spec.mean().empty() ? 0.0F : spec.mean(c));
    resolved.add_scale(spec.scale().empty() ? 1.0F : spec.scale(c));
  }
  return resolved;
}

v1::InputSpec ToWire(const storage::v1::InputSpec& spec) {
  v1::InputSpec wire;
  wire.set_width(spec.width());
  wire.set_height(spec.height());
  wire.set_resize(spec.resize() == storage::v1::InputSpec::RESIZE_SHORTEST ? v1::InputSpec::RESIZE_SHORTEST
                                                                           : v1::InputSpec::RESIZE_STRETCH);
  wire.set_shortest(spec.shortest());
  wire.set_bgr(spec.bgr());
  *wire.mutable_mean() = spec.mean();
  *wire.mutable_scale() = spec.scale();
  return wire;
}

RenderSpec ToRenderSpec(const storage::v1::InputSpec& spec, bool apply_orientation) {
  RenderSpec render;
  render.resize.kind = spec.resize() == storage::v1::InputSpec::RESIZE_SHORTEST ? ResizeRule::Kind::kShortest
                                                                                : ResizeRule::Kind::kStretch;
  render.resize.width = spec.width();
  render.resize.height = spec.height();
  render.resize.shortest = spec.shortest();
  render.bgr = spec.bgr();
  std::copy_n(spec.mean().begin(), kChannels, render.mean.begin());
  std::copy_n(spec.scale().begin(), kChannels, render.scale.begin());
  render.apply_orientation = apply_orientation;
  return render;
}

}  // namespace freqstore
