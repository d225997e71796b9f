// freqstore admin flush | compact; others are in files of their own

#include <memory>

#include "client/cli/command.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

int Flush(const Globals& globals, const std::string& dataset) {
  client::Client client(globals.server);
  v1::FlushRequest request;
  if (!dataset.empty()) request.set_dataset(client::DatasetName(dataset));
  v1::FlushResponse response;
  grpc::ClientContext context;
  Check(client.admin().Flush(&context, request, &response), globals);
  Json json;
  json["images"] = response.images();
  json["segments"] = response.segments();
  if (response.damaged_size() > 0) {
    json["damaged"] = std::vector<std::string>(response.damaged().begin(), response.damaged().end());
  }
  PrintRecord(globals.format, json);
  return response.damaged_size() == 0 ? kExitDone : kExitFailed;
}

int Compact(const Globals& globals, const std::string& dataset) {
  client::Client client(globals.server);
  v1::CompactDatasetRequest request;
  request.set_dataset(client::DatasetName(dataset));
  v1::CompactDatasetResponse response;
  grpc::ClientContext context;
  Check(client.admin().CompactDataset(&context, request, &response), globals);
  Json json;
  json["segments_before"] = response.segments_before();
  json["segments_after"] = response.segments_after();
  json["images_moved"] = response.images_moved();
  json["purged"] = response.purged();
  json["damaged"] = std::vector<std::string>(response.damaged().begin(), response.damaged().end());
  if (globals.format != Format::kTable) {
    PrintRecord(globals.format, json);
  } else {
    fmt::print("{} segments became {}; {} images moved\n", response.segments_before(),
               response.segments_after(), response.images_moved());
    fmt::print("{}\n", response.purged()
                           ? "nothing of what was deleted is on disk"
                           : "deleted images are on disk still: somebody reads them, or a segment is "
                             "damaged; call again later");
    for (const std::string& damaged : response.damaged()) fmt::print(stderr, "left as it is: {}\n", damaged);
  }
  return response.damaged_size() == 0 ? kExitDone : kExitFailed;
}

}  // namespace

void AddAdminCommands(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* admin = app.add_subcommand("admin", "Look after a server");
  admin->require_subcommand(1);

  AddStatusCommand(*admin, globals, run);

  auto dataset = std::make_shared<std::string>();
  CLI::App* flush = admin->add_subcommand("flush", "Move recent images from the delta into segments");
  flush->add_option("DATASET", *dataset, "One dataset; all if left out");
  flush->footer(
      R"(The server does so by itself in time; a flush makes the layout of what was just imported final.

Examples:
  freqstore admin flush
  freqstore admin flush photos)");
  OnRun(flush, run, [&globals, dataset] { return Flush(globals, *dataset); });

  CLI::App* compact =
      admin->add_subcommand("compact", "Take deleted images off the disk, and join small segments, now");
  compact->add_option("DATASET", *dataset)->required();
  compact->footer(
      R"(The server does so by itself in time. Queries and imports go on meanwhile; images that a query is still reading
stay until it ends, and this says so. Segments that cannot be read stay as they are and are named; the exit code is then 1.

Examples:
  freqstore admin compact photos && freqstore dataset deletions photos)");
  OnRun(compact, run, [&globals, dataset] { return Compact(globals, *dataset); });

  AddRewriteCommand(*admin, globals, run);
  AddUpkeepCommands(*admin, globals, run);
}

}  // namespace freqstore::cli
