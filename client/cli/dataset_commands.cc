// freqstore dataset create | list | delete; others are in files of their own

#include <memory>

#include <google/protobuf/util/time_util.h>

#include "client/cli/command.h"
#include "client/cli/layout.h"
#include "fmt/core.h"

namespace freqstore::cli {
namespace {

using google::protobuf::util::TimeUtil;

Json ToJson(const v1::Dataset& dataset) {
  Json json;
  json["dataset"] = dataset.name();
  json["layout"] = LayoutName(dataset.layout());
  json["created"] = TimeUtil::ToString(dataset.create_time());
  return json;
}

int Create(const Globals& globals, const std::string& name, v1::Layout layout) {
  client::Client client(globals.server);
  v1::CreateDatasetRequest request;
  request.set_dataset_id(name);
  request.set_layout(layout);
  v1::Dataset dataset;
  grpc::ClientContext context;
  Check(client.datasets().CreateDataset(&context, request, &dataset), globals);
  PrintRecord(globals.format, ToJson(dataset));
  return kExitDone;
}

int List(const Globals& globals) {
  client::Client client(globals.server);
  RecordPrinter printer(
      globals.format, {Field("DATASET", "dataset"), Field("LAYOUT", "layout"), Field("CREATED", "created")});
  v1::ListDatasetsRequest request;
  v1::ListDatasetsResponse response;
  do {
    grpc::ClientContext context;
    Check(client.datasets().ListDatasets(&context, request, &response), globals);
    for (const v1::Dataset& dataset : response.datasets()) printer.Print(ToJson(dataset));
    request.set_page_token(response.next_page_token());
  } while (!response.next_page_token().empty());
  printer.End();
  return kExitDone;
}

int Delete(const Globals& globals, const std::string& name) {
  client::Client client(globals.server);
  v1::DeleteDatasetRequest request;
  request.set_name(client::DatasetName(name));
  google::protobuf::Empty empty;
  grpc::ClientContext context;
  Check(client.datasets().DeleteDataset(&context, request, &empty), globals);
  return kExitDone;
}

}  // namespace

void AddDatasetCommands(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* dataset = app.add_subcommand("dataset", "Create, list, describe and delete datasets");
  dataset->require_subcommand(1);
  auto name = std::make_shared<std::string>();
  auto layout = std::make_shared<v1::Layout>(v1::LAYOUT_UNSPECIFIED);

  CLI::App* create = dataset->add_subcommand("create", "Create a dataset");
  create->add_option("NAME", *name, "1 to 63 of letters, digits, '.', '_', '-'")->required();
  AddLayoutOption(*create, *layout, "How columns are encoded, see below; the server's default if left out");
  create->footer(std::string(kLayoutHelp) +
                 R"(`freqstore admin rewrite` changes the layout of a dataset that has images.

Examples:
  freqstore dataset create photos
  freqstore dataset create archive --layout compact)");
  OnRun(create, run, [&globals, name, layout] { return Create(globals, *name, *layout); });

  CLI::App* list = dataset->add_subcommand("list", "List datasets");
  list->footer(R"(Examples:
  freqstore dataset list
  freqstore --format jsonl dataset list | jq -r .dataset)");
  OnRun(list, run, [&globals] { return List(globals); });

  AddDescribeCommands(*dataset, globals, run);
  AddDeletionsCommand(*dataset, globals, run);

  CLI::App* remove = dataset->add_subcommand("delete", "Delete a dataset and its images, for good");
  remove->add_option("NAME", *name)->required();
  remove->footer(R"(`freqstore image delete` deletes some of its images.

Examples:
  freqstore dataset delete photos)");
  OnRun(remove, run, [&globals, name] { return Delete(globals, *name); });
}

}  // namespace freqstore::cli
