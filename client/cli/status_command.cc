// freqstore admin status

#include <google/protobuf/util/time_util.h>

#include "client/cli/command.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

using google::protobuf::util::TimeUtil;

Json ToJson(const v1::Alarm& alarm) {
  Json json = {{"reason", alarm.reason()}, {"message", alarm.message()}, {"since", nullptr}};
  if (alarm.has_since()) json["since"] = TimeUtil::ToString(alarm.since());
  return json;
}

Json ToJson(const v1::Maintenance& maintenance) {
  return {{"images_columnized", maintenance.images_columnized()},
          {"segments_columnized", maintenance.segments_columnized()},
          {"images_compacted", maintenance.images_compacted()},
          {"segments_compacted", maintenance.segments_compacted()},
          {"bytes_compacted", maintenance.bytes_compacted()},
          {"failures", maintenance.failures()},
          {"paused", maintenance.paused()}};
}

Json ToJson(const v1::ServerStatus& status, const std::string& server) {
  Json json;
  json["server"] = server;
  json["alarms"] = Json::array();
  for (const v1::Alarm& alarm : status.alarms()) json["alarms"].push_back(ToJson(alarm));
  json["version"] = status.version();
  json["uptime_seconds"] = static_cast<uint64_t>(status.uptime_seconds());
  json["workers"] = fmt::format("{} x {}", status.workers(), status.device());
  json["datasets"] = status.datasets();
  json["models"] = status.models();
  json["images"] = status.images();
  json["delta_images"] = status.delta_images();
  json["active_queries"] = status.active_queries();
  json["active_imports"] = status.active_imports();
  json["maintenance"] = ToJson(status.maintenance());
  json["bytes_in_flight"] = status.bytes_in_flight();
  json["bytes_in_flight_max"] = status.bytes_in_flight_max();
  json["resident_bytes"] = status.resident_bytes();
  for (const v1::FamilySize& family : status.families()) json["disk_" + family.name()] = family.disk_bytes();
  return json;
}

std::string Readable(const v1::Maintenance& maintenance) {
  std::string text = fmt::format("{} images moved into {} segments; {} segments compacted ({} images, {})",
                                 maintenance.images_columnized(), maintenance.segments_columnized(),
                                 maintenance.segments_compacted(), maintenance.images_compacted(),
                                 HumanBytes(double(maintenance.bytes_compacted())));
  if (maintenance.failures() > 0) text += fmt::format("; {} failures", maintenance.failures());
  if (maintenance.paused()) text += "; waits, the server is busy";
  return text;
}

void PrintTable(const v1::ServerStatus& status, Json json) {
  for (const v1::Alarm& alarm : status.alarms()) {
    fmt::print("ALARM {}{}\n  {}\n", alarm.reason(),
               alarm.has_since() ? " since " + TimeUtil::ToString(alarm.since()) : "", alarm.message());
  }
  json.erase("alarms");
  json["maintenance"] = Readable(status.maintenance());
  for (auto& [key, value] : json.items()) {
    const bool is_size = key.starts_with("disk_") || key.starts_with("bytes_") || key.ends_with("_bytes");
    if (is_size) value = HumanBytes(value.get<double>());
  }
  PrintRecord(Format::kTable, json);
}

int Status(const Globals& globals) {
  client::Client client(globals.server);
  v1::ServerStatus status;
  grpc::ClientContext context;
  Check(client.admin().GetStatus(&context, {}, &status), globals);
  if (globals.format == Format::kTable) {
    PrintTable(status, ToJson(status, globals.server));
  } else {
    PrintRecord(globals.format, ToJson(status, globals.server));
  }
  return kExitDone;
}

}  // namespace

void AddStatusCommand(CLI::App& admin, const Globals& globals, Run& run) {
  CLI::App* status = admin.add_subcommand("status", "What the server holds, does, and is in trouble with");
  status->footer(
      R"(Alarms come first: what needs your attention, and what to do. There are none if all is well; the exit code is 0
either way. Maintenance is what the server has done by itself since it started.

Examples:
  freqstore admin status
  freqstore --format json admin status | jq -e '.alarms == []')");
  OnRun(status, run, [&globals] { return Status(globals); });
}

}  // namespace freqstore::cli
