// freqstore explain DATASET --model NAME | --scale k/8

#include <memory>

#include <google/protobuf/util/json_util.h>

#include "client/cli/command.h"
#include "client/cli/query_options.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

struct ExplainOptions {
  InferOptions infer;
  std::string scale;
  bool analyze = false;
};

int Explain(const Globals& globals, const ExplainOptions& options) {
  v1::ExplainRequest request;
  request.set_analyze(options.analyze);
  if (!options.infer.model.empty()) {
    *request.mutable_infer() = ToRequest(options.infer);
  } else {
    request.mutable_scan()->set_dataset(client::DatasetName(options.infer.dataset));
    const Selection& selection = options.infer.selection;
    request.mutable_scan()->mutable_image_ids()->Assign(selection.images.begin(), selection.images.end());
    request.mutable_scan()->set_filter(selection.filter);
    request.mutable_scan()->mutable_pixels()->set_scale(ParseScale(options.scale));
  }
  client::Client client(globals.server);
  v1::ExplainResponse response;
  grpc::ClientContext context;
  Check(client.queries().Explain(&context, request, &response), globals);
  if (globals.format == Format::kTable) {
    fmt::print("{}", response.text());
    return kExitDone;
  }
  std::string text;
  google::protobuf::util::JsonPrintOptions print;
  print.preserve_proto_field_names = true;
  print.always_print_primitive_fields = true;
  (void)google::protobuf::util::MessageToJsonString(response.plan(), &text, print);
  PrintRecord(globals.format, Json::parse(text));
  return kExitDone;
}

}  // namespace

void AddExplainCommand(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* explain =
      app.add_subcommand("explain", "Show how a query would run: what is read, decoded, computed");
  auto options = std::make_shared<ExplainOptions>();
  explain->add_option("DATASET", options->infer.dataset)->required();
  auto* source = explain->add_option_group("query");
  source->add_option("--model", options->infer.model, "Explain infer with this model");
  source->add_option("--scale", options->scale, "Explain a scan of images at k/8")
      ->check([](const std::string& text) {
        ParseScale(text);
        return std::string();
      });
  source->require_option(1);
  AddInferOptions(*explain, options->infer);
  explain->add_flag("--analyze", options->analyze, "Run it too, and show actual beside estimated figures");
  explain->footer(fmt::format(
      R"(Seconds are of one thread, summed over threads; "elapsed" is by the clock. With --analyze the answers are made up to
the messages that a client would get, and thrown away.

{}
Examples:
  freqstore explain photos --model mobilenet --analyze
  freqstore explain photos --scale 2/8
  freqstore explain photos --model mobilenet --filter 'label = dog'
  freqstore --format json explain photos --model mobilenet)",
      kFilterHelp));
  OnRun(explain, run, [&globals, options] { return Explain(globals, *options); });
}

}  // namespace freqstore::cli
