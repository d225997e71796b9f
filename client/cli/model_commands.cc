// freqstore model register | list | describe | delete

#include <memory>
#include <sstream>

#include <google/protobuf/util/time_util.h>

#include "client/cli/command.h"
#include "client/cli/input_spec.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace freqstore::cli {
namespace {

using google::protobuf::util::TimeUtil;

struct RegisterOptions {
  std::string name;
  std::string file;
  std::string labels;
  std::string preset;
  std::string input_spec;
};

std::string ResizeText(const v1::InputSpec& spec) {
  return spec.resize() == v1::InputSpec::RESIZE_SHORTEST ? fmt::format("shortest={}", spec.shortest())
                                                         : "stretch";
}

Json ToJson(const v1::InputSpec& spec) {
  Json pixels;
  pixels["width"] = spec.width();
  pixels["height"] = spec.height();
  pixels["resize"] = ResizeText(spec);
  pixels["order"] = spec.bgr() ? "BGR" : "RGB";
  pixels["mean"] = std::vector<float>(spec.mean().begin(), spec.mean().end());
  pixels["scale"] = std::vector<float>(spec.scale().begin(), spec.scale().end());
  return {{"pixels", std::move(pixels)}};
}

std::string ShapeText(const v1::TensorInfo& tensor) {
  std::vector<std::string> dims;
  for (const int64_t dim : tensor.shape()) dims.push_back(dim < 0 ? "N" : std::to_string(dim));
  return fmt::format("{} [{}]", tensor.name(), fmt::join(dims, ", "));
}

Json ToJson(const v1::Model& model) {
  Json json;
  json["model"] = model.name();
  json["input_spec"] = ToJson(model.input_spec());
  json["ms_per_image"] = model.seconds_per_image() * 1e3;
  json["bytes"] = model.file_bytes();
  json["created"] = TimeUtil::ToString(model.create_time());
  if (!model.has_input()) return json;
  json["input"] = ShapeText(model.input());
  Json outputs = Json::array();
  for (const v1::TensorInfo& output : model.outputs()) outputs.push_back(ShapeText(output));
  json["outputs"] = std::move(outputs);
  json["parameters"] = model.parameters();
  json["macs_per_image"] = model.macs_per_image();
  json["labels"] = model.labels_size();
  return json;
}

std::vector<std::string> ReadLabels(const std::string& path) {
  std::vector<std::string> labels;
  std::istringstream lines(ReadFile(path));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    labels.push_back(line);
  }
  return labels;
}

v1::InputSpec SpecOf(const RegisterOptions& options) {
  if (!options.input_spec.empty()) return ParseInputSpec(ReadFile(options.input_spec));
  for (const Preset& preset : Presets()) {
    if (preset.name == options.preset) return preset.spec;
  }
  throw CommandError(
      "NO_INPUT_SPEC",
      "say how the model's input is made: --preset NAME or --input-spec FILE (see --help); a wrong guess "
      "would give wrong answers without an error");
}

int Register(const Globals& globals, const RegisterOptions& options) {
  v1::ModelSpec spec;
  spec.set_model_id(options.name);
  *spec.mutable_input_spec() = SpecOf(options);
  if (!options.labels.empty()) {
    for (std::string& label : ReadLabels(options.labels)) spec.add_labels(std::move(label));
  }
  client::Client client(globals.server);
  v1::Model model;
  Check(client.RegisterModel(spec, ReadFile(options.file), model), globals);
  PrintRecord(globals.format, ToJson(model));
  return kExitDone;
}

int List(const Globals& globals) {
  client::Client client(globals.server);
  const auto size = [](const Json& record) {
    const Json& pixels = record["input_spec"]["pixels"];
    return fmt::format("{}x{}", PlainText(pixels["width"]), PlainText(pixels["height"]));
  };
  const auto milliseconds = [](const Json& record) {
    return fmt::format("{:.3g}", double(record["ms_per_image"]));
  };
  RecordPrinter printer(globals.format, {Field("MODEL", "model"),
                                         {"INPUT", size},
                                         {"MS/IMAGE", milliseconds, true},
                                         Size("SIZE", "bytes"),
                                         Field("CREATED", "created")});
  v1::ListModelsRequest request;
  v1::ListModelsResponse response;
  do {
    grpc::ClientContext context;
    Check(client.models().ListModels(&context, request, &response), globals);
    for (const v1::Model& model : response.models()) printer.Print(ToJson(model));
    request.set_page_token(response.next_page_token());
  } while (!response.next_page_token().empty());
  printer.End();
  return kExitDone;
}

int DescribeModel(const Globals& globals, const std::string& name) {
  client::Client client(globals.server);
  v1::GetModelRequest request;
  request.set_name(client::ModelName(name));
  v1::Model model;
  grpc::ClientContext context;
  Check(client.models().GetModel(&context, request, &model), globals);
  PrintRecord(globals.format, ToJson(model));
  return kExitDone;
}

int Delete(const Globals& globals, const std::string& name) {
  client::Client client(globals.server);
  v1::DeleteModelRequest request;
  request.set_name(client::ModelName(name));
  google::protobuf::Empty empty;
  grpc::ClientContext context;
  Check(client.models().DeleteModel(&context, request, &empty), globals);
  return kExitDone;
}

std::string RegisterHelp() {
  std::string help = "Presets (tensor = (pixel - mean) * scale):\n";
  for (const Preset& preset : Presets()) help += fmt::format("  {:<24}{}\n", preset.name, preset.description);
  help += R"(
An input spec file says it in full; what is left out follows from the model or is neutral:
  {"pixels": {"width": 224, "height": 224, "resize": "shortest=256", "order": "RGB",
              "mean": [123.675, 116.28, 103.53], "scale": [0.01712, 0.01751, 0.01743]}}
"resize" is "stretch" (the whole image) or "shortest=N" (shorter side to N, then the centre).

Examples:
  freqstore model register mobilenet mobilenet_v2.onnx --preset mobilenet --labels imagenet_labels.txt
  freqstore model register resnet resnet50.onnx --preset imagenet-torch)";
  return help;
}

}  // namespace

void AddModelCommands(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* model = app.add_subcommand("model", "Register, list, describe and delete models");
  model->require_subcommand(1);
  auto options = std::make_shared<RegisterOptions>();
  auto name = std::make_shared<std::string>();

  CLI::App* add = model->add_subcommand("register", "Register an ONNX file and how its input is made");
  add->add_option("NAME", options->name)->required();
  add->add_option("FILE", options->file, "The ONNX file")->required();
  add->add_option("--labels", options->labels, "Class names, a line each, in the order of the outputs");
  std::vector<std::string> presets;
  for (const Preset& preset : Presets()) presets.push_back(preset.name);
  CLI::Option* preset =
      add->add_option("--preset", options->preset, "Preprocessing of a model family, see below")
          ->check(CLI::IsMember(presets).description(""));
  add->add_option("--input-spec", options->input_spec, "Preprocessing from a JSON file, see below")
      ->excludes(preset);
  add->footer(RegisterHelp());
  OnRun(add, run, [&globals, options] { return Register(globals, *options); });

  CLI::App* list = model->add_subcommand("list", "List models");
  OnRun(list, run, [&globals] { return List(globals); });

  CLI::App* describe = model->add_subcommand("describe", "Show a model's input, outputs and size");
  describe->add_option("NAME", *name)->required();
  OnRun(describe, run, [&globals, name] { return DescribeModel(globals, *name); });

  CLI::App* remove = model->add_subcommand("delete", "Delete a model");
  remove->add_option("NAME", *name)->required();
  OnRun(remove, run, [&globals, name] { return Delete(globals, *name); });
}

}  // namespace freqstore::cli
