// freqstore infer DATASET --model NAME

#include <cstring>
#include <memory>

#include "client/cli/command.h"
#include "client/cli/progress.h"
#include "client/cli/query_options.h"
#include "client/cpp/error.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

Json ToJson(const v1::InferResult& result) {
  Json json;
  json["image"] = result.image_id();
  if (result.status().code() != 0) {
    json["status"] = client::ReasonOf(result.status());
    json["message"] = result.status().message();
    return json;
  }
  if (result.has_output()) {
    std::vector<float> values(result.output().values().size() / sizeof(float));
    std::memcpy(values.data(), result.output().values().data(), values.size() * sizeof(float));
    json["shape"] = std::vector<int64_t>(result.output().shape().begin(), result.output().shape().end());
    json["output"] = std::move(values);
    return json;
  }
  Json top = Json::array();
  for (const v1::ClassScore& score : result.top()) {
    Json entry;
    entry["class"] = score.class_index();
    if (!score.label().empty()) entry["label"] = score.label();
    entry["score"] = score.score();
    top.push_back(std::move(entry));
  }
  json["top"] = std::move(top);
  return json;
}

/// "tabby cat 0.82, lynx 0.07", a failure's reason, or an output's shape.
std::string AnswerText(const Json& record) {
  if (record.contains("status"))
    return fmt::format("[{}] {}", PlainText(record["status"]), PlainText(record["message"]));
  if (record.contains("shape")) return fmt::format("tensor {}", record["shape"].dump());
  std::string text;
  for (const Json& entry : record["top"]) {
    if (!text.empty()) text += ", ";
    const Json& name = entry.contains("label") ? entry["label"] : entry["class"];
    text += fmt::format("{} {:.3f}", PlainText(name), entry["score"].get<double>());
  }
  return text;
}

int Infer(const Globals& globals, const InferOptions& options) {
  client::Client client(globals.server);
  grpc::ClientContext context;
  const auto stream = client.queries().Infer(&context, ToRequest(options));
  RecordPrinter printer(globals.format, {Field("IMAGE", "image"), {"ANSWER", AnswerText}});
  Progress progress("infer", 0, "images");
  v1::InferResponse response;
  v1::QueryStats stats;
  while (stream->Read(&response)) {
    progress.Clear();
    for (const v1::InferResult& result : response.results()) printer.Print(ToJson(result));
    progress.Add(static_cast<uint64_t>(response.results_size()));
    if (response.has_stats()) stats = response.stats();
  }
  progress.Clear();
  printer.End();
  Check(stream->Finish(), globals);
  fmt::print(stderr, "{}\n", Summary(stats));
  return stats.rows_failed() == 0 ? kExitDone : kExitFailed;
}

}  // namespace

void AddInferCommand(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* infer = app.add_subcommand("infer", "Run a model over a dataset");
  auto options = std::make_shared<InferOptions>();
  infer->add_option("DATASET", options->dataset)->required();
  infer->add_option("--model", options->model, "A registered model")->required();
  AddInferOptions(*infer, *options);
  infer->footer(fmt::format(
      R"(Results come as they are made, in no particular order. Fidelity is how much of an image is read:
  exact      no measurable loss against full decode
  standard   -0.2 points of top-1 on average, the default
  reduced    up to -0.6 points
  lossy:N    only the low N x N frequencies, whatever the model's size

{}
Examples:
  freqstore infer photos --model mobilenet --top 5
  freqstore infer photos --model mobilenet --filter 'label = dog AND width >= 512'
  freqstore --format jsonl infer photos --model mobilenet > answers.jsonl
  freqstore infer photos --model mobilenet --image cats/1.jpg --fidelity exact)",
      kFilterHelp));
  OnRun(infer, run, [&globals, options] { return Infer(globals, *options); });
}

}  // namespace freqstore::cli
