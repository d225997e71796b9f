// freqstore admin status | flush; rewrite is in rewrite_command.cc

#include <memory>

#include "client/cli/command.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

int Status(const Globals& globals) {
  client::Client client(globals.server);
  v1::ServerStatus status;
  grpc::ClientContext context;
  Check(client.admin().GetStatus(&context, {}, &status), globals);
  const auto size = [&](uint64_t bytes) {
    return globals.format == Format::kTable ? Json(HumanBytes(double(bytes))) : Json(bytes);
  };
  Json json;
  json["server"] = globals.server;
  json["version"] = status.version();
  json["uptime_seconds"] = static_cast<uint64_t>(status.uptime_seconds());
  json["workers"] = fmt::format("{} x {}", status.workers(), status.device());
  json["datasets"] = status.datasets();
  json["models"] = status.models();
  json["images"] = status.images();
  json["delta_images"] = status.delta_images();
  json["active_queries"] = status.active_queries();
  json["active_imports"] = status.active_imports();
  json["bytes_in_flight"] = size(status.bytes_in_flight());
  json["bytes_in_flight_max"] = size(status.bytes_in_flight_max());
  json["resident_bytes"] = size(status.resident_bytes());
  for (const v1::FamilySize& family : status.families())
    json["disk_" + family.name()] = size(family.disk_bytes());
  PrintRecord(globals.format, json);
  return kExitDone;
}

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

}  // namespace

void AddAdminCommands(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* admin = app.add_subcommand("admin", "Look after a server");
  admin->require_subcommand(1);

  CLI::App* status = admin->add_subcommand("status", "What the server holds and does");
  OnRun(status, run, [&globals] { return Status(globals); });

  auto dataset = std::make_shared<std::string>();
  CLI::App* flush = admin->add_subcommand("flush", "Move recent images from the delta into segments");
  flush->add_option("DATASET", *dataset, "One dataset; all if left out");
  OnRun(flush, run, [&globals, dataset] { return Flush(globals, *dataset); });

  AddRewriteCommand(*admin, globals, run);
}

}  // namespace freqstore::cli
