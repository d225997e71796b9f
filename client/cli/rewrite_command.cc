// freqstore admin rewrite DATASET --layout L

#include <memory>

#include "client/cli/command.h"
#include "client/cli/layout.h"
#include "client/cli/progress.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

struct RewriteOptions {
  std::string dataset;
  v1::Layout layout = v1::LAYOUT_UNSPECIFIED;
};

Json ToJson(const v1::RewriteDatasetRequest& request, const v1::RewriteProgress& progress) {
  Json json;
  json["dataset"] = request.dataset();
  json["layout"] = LayoutName(request.layout());
  json["segments_done"] = progress.segments_done();
  json["segments_total"] = progress.segments_total();
  json["images_done"] = progress.images_done();
  json["images_total"] = progress.images_total();
  json["bytes_before"] = progress.bytes_before();
  json["bytes_after"] = progress.bytes_after();
  json["damaged"] = std::vector<std::string>(progress.damaged().begin(), progress.damaged().end());
  return json;
}

std::string Summary(const v1::RewriteDatasetRequest& request, const v1::RewriteProgress& progress) {
  const std::string layout = LayoutName(request.layout());
  if (progress.segments_total() == 0) {
    return fmt::format("nothing to do: every segment of {} is {}", request.dataset(), layout);
  }
  const auto damaged = static_cast<uint64_t>(progress.damaged_size());
  std::string text = fmt::format("{} of {} segments are {} now", progress.segments_done() - damaged,
                                 progress.segments_total(), layout);
  if (progress.bytes_before() == 0) return text;
  return text + fmt::format(": {} became {} ({:+.1f} %)", HumanBytes(double(progress.bytes_before())),
                            HumanBytes(double(progress.bytes_after())),
                            100.0 * double(progress.bytes_after()) / double(progress.bytes_before()) - 100.0);
}

int Rewrite(const Globals& globals, const RewriteOptions& options) {
  client::Client client(globals.server);
  v1::RewriteDatasetRequest request;
  request.set_dataset(client::DatasetName(options.dataset));
  request.set_layout(options.layout);
  grpc::ClientContext context;
  const auto stream = client.admin().RewriteDataset(&context, request);
  std::unique_ptr<Progress> bar;
  v1::RewriteProgress progress;
  uint64_t images_shown = 0;
  while (stream->Read(&progress)) {
    if (bar == nullptr) bar = std::make_unique<Progress>("rewrite", progress.images_total(), "images");
    bar->Add(progress.images_done() - images_shown);
    images_shown = progress.images_done();
    if (globals.format == Format::kJsonl) {
      fmt::print("{}\n", ToJson(request, progress).dump());
      std::fflush(stdout);
    }
  }
  bar.reset();
  Check(stream->Finish(), globals);
  if (globals.format == Format::kTable) {
    for (const std::string& damaged : progress.damaged()) fmt::print(stderr, "left as it is: {}\n", damaged);
    fmt::print("{}\n", Summary(request, progress));
  } else if (globals.format == Format::kJson) {
    PrintRecord(globals.format, ToJson(request, progress));
  }
  return progress.damaged_size() == 0 ? kExitDone : kExitFailed;
}

}  // namespace

void AddRewriteCommand(CLI::App& admin, const Globals& globals, Run& run) {
  CLI::App* rewrite = admin.add_subcommand("rewrite", "Bring a dataset to another layout");
  auto options = std::make_shared<RewriteOptions>();
  rewrite->add_option("DATASET", options->dataset)->required();
  AddLayoutOption(*rewrite, options->layout, "How columns are encoded from now on, see below")->required();
  rewrite->footer(std::string(kLayoutHelp) +
                  R"(
The server rewrites segment after segment; queries and imports go on meanwhile. This command only watches: when it is
interrupted the rewrite goes on, the same command watches it again. A server that was stopped goes on when it starts.
Segments that cannot be read stay as they are and are named; the exit code is then 1.

Examples:
  freqstore admin rewrite photos --layout compact
  freqstore --format jsonl admin rewrite photos --layout compact)");
  OnRun(rewrite, run, [&globals, options] { return Rewrite(globals, *options); });
}

}  // namespace freqstore::cli
