// freqstore dataset deletions NAME

#include <memory>

#include <google/protobuf/util/time_util.h>

#include "client/cli/command.h"

namespace freqstore::cli {
namespace {

using google::protobuf::util::TimeUtil;

Json ToJson(const v1::Deletion& deletion) {
  Json json;
  json["deletion"] = deletion.deletion_id();
  json["deleted"] = TimeUtil::ToString(deletion.delete_time());
  json["images"] = deletion.images();
  json["selection"] = deletion.selection();
  json["purged"] = deletion.has_purge_time() ? Json(TimeUtil::ToString(deletion.purge_time())) : Json();
  return json;
}

int Deletions(const Globals& globals, const std::string& name) {
  client::Client client(globals.server);
  const auto purged = [](const Json& record) {
    return record["purged"].is_null() ? "not yet" : PlainText(record["purged"]);
  };
  RecordPrinter printer(globals.format, {Number("DELETION", "deletion"),
                                         Field("DELETED", "deleted"),
                                         Number("IMAGES", "images"),
                                         {"OFF THE DISK SINCE", purged},
                                         Field("SELECTION", "selection")});
  v1::ListDeletionsRequest request;
  request.set_parent(client::DatasetName(name));
  request.set_page_size(1000);
  v1::ListDeletionsResponse response;
  do {
    grpc::ClientContext context;
    Check(client.datasets().ListDeletions(&context, request, &response), globals);
    for (const v1::Deletion& deletion : response.deletions()) printer.Print(ToJson(deletion));
    request.set_page_token(response.next_page_token());
  } while (!response.next_page_token().empty());
  printer.End();
  return kExitDone;
}

}  // namespace

void AddDeletionsCommand(CLI::App& dataset, const Globals& globals, Run& run) {
  auto name = std::make_shared<std::string>();
  CLI::App* deletions =
      dataset.add_subcommand("deletions", "List what was deleted when, and since when it is off the disk");
  deletions->add_option("NAME", *name)->required();
  deletions->footer(
      R"(A deletion is off the disk when no file of the server's holds a byte of its images any more; that is done in time, or
at once by `freqstore admin compact`.

Examples:
  freqstore dataset deletions photos
  freqstore --format jsonl dataset deletions photos | jq 'select(.purged == null)')");
  OnRun(deletions, run, [&globals, name] { return Deletions(globals, *name); });
}

}  // namespace freqstore::cli
