#include "client/cli/input_spec.h"

#include <array>
#include <charconv>
#include <set>

#include "client/cli/command.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

[[noreturn]] void Invalid(const std::string& message) {
  throw CommandError("INVALID_INPUT_SPEC", message);
}

v1::InputSpec MakeSpec(uint32_t shortest, std::array<float, 3> mean, std::array<float, 3> scale) {
  v1::InputSpec spec;
  spec.set_resize(shortest == 0 ? v1::InputSpec::RESIZE_STRETCH : v1::InputSpec::RESIZE_SHORTEST);
  spec.set_shortest(shortest);
  spec.mutable_mean()->Assign(mean.begin(), mean.end());
  spec.mutable_scale()->Assign(scale.begin(), scale.end());
  return spec;
}

void ParseResize(const std::string& rule, v1::InputSpec& spec) {
  constexpr std::string_view kShortest = "shortest=";
  if (rule == "stretch") {
    spec.set_resize(v1::InputSpec::RESIZE_STRETCH);
    return;
  }
  uint32_t shortest = 0;
  if (rule.starts_with(kShortest)) {
    const auto [end, error] =
        std::from_chars(rule.data() + kShortest.size(), rule.data() + rule.size(), shortest);
    if (error != std::errc() || end != rule.data() + rule.size()) shortest = 0;
  }
  if (shortest == 0) Invalid(fmt::format("resize is \"stretch\" or \"shortest=N\", not \"{}\"", rule));
  spec.set_resize(v1::InputSpec::RESIZE_SHORTEST);
  spec.set_shortest(shortest);
}

void ParseOrder(const std::string& order, v1::InputSpec& spec) {
  if (order != "RGB" && order != "BGR")
    Invalid(fmt::format("order is \"RGB\" or \"BGR\", not \"{}\"", order));
  spec.set_bgr(order == "BGR");
}

void ParseChannels(const Json& values, google::protobuf::RepeatedField<float>& out) {
  const auto channels = values.get<std::vector<float>>();
  if (channels.size() != 3) Invalid("mean and scale are lists of three numbers, one a channel");
  out.Assign(channels.begin(), channels.end());
}

}  // namespace

const std::vector<Preset>& Presets() {
  static const std::vector<Preset> kPresets = {
      {"mobilenet", "(pixel - 128) / 128, whole image stretched: TensorFlow MobileNets",
       MakeSpec(0, {128, 128, 128}, {1.F / 128, 1.F / 128, 1.F / 128})},
      {"imagenet-torch", "torchvision and timm: shorter side 256, centre crop, ImageNet mean and deviation",
       MakeSpec(256, {123.675F, 116.28F, 103.53F}, {1 / 58.395F, 1 / 57.12F, 1 / 57.375F})},
      {"imagenet-torch-stretch", "the same values, whole image stretched",
       MakeSpec(0, {123.675F, 116.28F, 103.53F}, {1 / 58.395F, 1 / 57.12F, 1 / 57.375F})},
      {"caffe", "pixel - (123, 117, 104), whole image stretched: SqueezeNet and its time",
       MakeSpec(0, {123, 117, 104}, {1, 1, 1})},
      {"unit", "pixel / 255, whole image stretched",
       MakeSpec(0, {0, 0, 0}, {1 / 255.F, 1 / 255.F, 1 / 255.F})},
      {"raw", "pixels as they are, whole image stretched", MakeSpec(0, {0, 0, 0}, {1, 1, 1})},
  };
  return kPresets;
}

v1::InputSpec ParseInputSpec(const std::string& json_text) {
  v1::InputSpec spec;
  try {
    const Json document = Json::parse(json_text);
    const Json& pixels = document.at("pixels");
    const std::set<std::string> known = {"width", "height", "resize", "order", "mean", "scale"};
    for (const auto& [key, value] : pixels.items()) {
      if (!known.contains(key)) Invalid(fmt::format("there is no field pixels.{}", key));
    }
    spec.set_width(pixels.value("width", 0U));
    spec.set_height(pixels.value("height", 0U));
    ParseResize(pixels.value("resize", "stretch"), spec);
    ParseOrder(pixels.value("order", "RGB"), spec);
    if (pixels.contains("mean")) ParseChannels(pixels["mean"], *spec.mutable_mean());
    if (pixels.contains("scale")) ParseChannels(pixels["scale"], *spec.mutable_scale());
  } catch (const Json::exception& error) {
    Invalid(fmt::format("the input spec is not as described in `freqstore model register --help`: {}",
                        error.what()));
  }
  return spec;
}

}  // namespace freqstore::cli
