// freqstore admin verify | checkpoint

#include <memory>

#include "client/cli/command.h"
#include "client/cli/progress.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

Json ToJson(const v1::VerifyProgress& progress) {
  Json json;
  json["tables_checked"] = progress.tables_checked();
  json["segments_done"] = progress.segments_done();
  json["segments_total"] = progress.segments_total();
  json["images_done"] = progress.images_done();
  json["images_total"] = progress.images_total();
  json["originals"] = progress.originals();
  json["quarantined"] = progress.quarantined();
  json["released"] = progress.released();
  json["damaged"] = std::vector<std::string>(progress.damaged().begin(), progress.damaged().end());
  return json;
}

void PrintSummary(const v1::VerifyProgress& progress) {
  for (const std::string& damaged : progress.damaged()) fmt::print("damaged: {}\n", damaged);
  fmt::print(
      "read {} table files and {} images in {} segments and the delta; {} original files rebuilt: {}\n",
      progress.tables_checked(), progress.images_done(), progress.segments_done(), progress.originals(),
      progress.damaged_size() == 0 ? "all sound" : fmt::format("{} damaged", progress.damaged_size()));
  if (progress.quarantined() > 0) {
    fmt::print(
        "{} segments are not read any more; put their table files back from a backup and verify again, or "
        "delete "
        "their images and import them anew\n",
        progress.quarantined());
  }
  if (progress.released() > 0)
    fmt::print("{} segments are sound again and are read again\n", progress.released());
}

int Verify(const Globals& globals, const v1::VerifyRequest& request) {
  client::Client client(globals.server);
  grpc::ClientContext context;
  const auto stream = client.admin().Verify(&context, request);
  std::unique_ptr<Progress> bar;
  v1::VerifyProgress progress;
  uint64_t images_shown = 0;
  while (stream->Read(&progress)) {
    if (bar == nullptr && progress.images_total() > 0)
      bar = std::make_unique<Progress>("verify", progress.images_total(), "images");
    if (bar != nullptr) bar->Add(progress.images_done() - images_shown);
    images_shown = progress.images_done();
    if (globals.format == Format::kJsonl) {
      fmt::print("{}\n", ToJson(progress).dump(-1, ' ', false, Json::error_handler_t::replace));
      std::fflush(stdout);
    }
  }
  bar.reset();
  Check(stream->Finish(), globals);
  if (globals.format == Format::kTable) PrintSummary(progress);
  if (globals.format == Format::kJson) PrintRecord(globals.format, ToJson(progress));
  return progress.damaged_size() == 0 ? kExitDone : kExitFailed;
}

int Checkpoint(const Globals& globals, const std::string& folder) {
  client::Client client(globals.server);
  v1::CheckpointRequest request;
  request.set_folder(folder);
  v1::CheckpointResponse response;
  grpc::ClientContext context;
  Check(client.admin().Checkpoint(&context, request, &response), globals);
  Json json;
  json["folder"] = response.folder();
  PrintRecord(globals.format, json);
  return kExitDone;
}

}  // namespace

void AddUpkeepCommands(CLI::App& admin, const Globals& globals, Run& run) {
  CLI::App* verify = admin.add_subcommand("verify", "Read everything and say what is damaged");
  auto request = std::make_shared<v1::VerifyRequest>();
  auto every = std::make_shared<uint32_t>(20);
  auto no_quarantine = std::make_shared<bool>(false);
  verify->add_option("--originals-every", *every, "Rebuild one of so many original files; 1 for all")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  verify->add_flag("--no-quarantine", *no_quarantine, "Only say what is damaged");
  verify->footer(
      R"(Reads every table file and compares its checksums, decodes every image, and rebuilds some of the original files. A
segment that is damaged is quarantined: its images fail with SEGMENT_QUARANTINED, everything else serves. One that is found
sound again is read again. Queries and imports go on meanwhile; this command only watches, the server goes on without it.
The exit code is 1 if anything is damaged.

Examples:
  freqstore admin verify
  freqstore --format json admin verify --originals-every 1 | jq .damaged)");
  OnRun(verify, run, [&globals, request, every, no_quarantine] {
    request->set_originals_every(*every);
    request->set_no_quarantine(*no_quarantine);
    return Verify(globals, *request);
  });

  CLI::App* checkpoint = admin.add_subcommand("checkpoint", "Make a consistent copy of the whole store");
  auto folder = std::make_shared<std::string>();
  checkpoint->add_option("DIR", *folder, "Absolute path on the server's machine; must not exist yet")
      ->required();
  checkpoint->footer(
      R"(The copy is of hard links where DIR is on the same file system as the store, so it takes no time and no space at first;
copy it to another machine to have a backup. Queries and imports go on meanwhile. To go back, start a server with
`--restore-from DIR` and a new --data-dir.

Examples:
  freqstore admin checkpoint /srv/backup/2026-01-31
  freqstored --data-dir /srv/restored --restore-from /srv/backup/2026-01-31)");
  OnRun(checkpoint, run, [&globals, folder] { return Checkpoint(globals, *folder); });
}

}  // namespace freqstore::cli
