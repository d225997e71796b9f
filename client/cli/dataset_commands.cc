// freqstore dataset create | list | describe | delete

#include <array>
#include <memory>

#include <google/protobuf/util/time_util.h>

#include "client/cli/command.h"
#include "fmt/core.h"

namespace freqstore::cli {
namespace {

using google::protobuf::util::TimeUtil;

std::string LayoutName(v1::Layout layout) {
  return layout == v1::LAYOUT_FAST ? "fast" : "unspecified";
}

Json ToJson(const v1::Dataset& dataset) {
  Json json;
  json["dataset"] = dataset.name();
  json["layout"] = LayoutName(dataset.layout());
  json["created"] = TimeUtil::ToString(dataset.create_time());
  if (!dataset.has_stats()) return json;
  const v1::DatasetStats& stats = dataset.stats();
  json["images"] = stats.images();
  json["delta_images"] = stats.delta_images();
  json["segments"] = stats.segments();
  json["file_bytes"] = stats.file_bytes();
  json["column_bytes"] = stats.column_bytes();
  json["delta_bytes"] = stats.delta_bytes();
  Json components = Json::array();
  for (const v1::ComponentStats& component : stats.components()) {
    components.push_back(
        std::vector<uint64_t>(component.bytes_by_frequency().begin(), component.bytes_by_frequency().end()));
  }
  json["bytes_by_frequency"] = std::move(components);
  return json;
}

// Zigzag index of natural index 8 * v + u.
constexpr std::array<int, 64> kZigzag = {0,  1,  5,  6,  14, 15, 27, 28, 2,  4,  7,  13, 16, 26, 29, 42,
                                         3,  8,  12, 17, 25, 30, 41, 43, 9,  11, 18, 24, 31, 40, 44, 53,
                                         10, 19, 23, 32, 39, 45, 52, 54, 20, 22, 33, 38, 46, 51, 55, 60,
                                         21, 34, 37, 47, 50, 56, 59, 61, 35, 36, 48, 49, 57, 58, 62, 63};

// Bytes by frequency as shades, a grid a component: u across, v down.
void PrintHeatMap(const v1::DatasetStats& stats) {
  constexpr std::string_view kShades = " .:-=+*#%@";
  uint64_t most = 0;
  for (const auto& component : stats.components()) {
    for (const uint64_t bytes : component.bytes_by_frequency()) most = std::max(most, bytes);
  }
  if (most == 0) return;
  fmt::print("\nbytes by frequency, u across, v down, a grid a component ({} = {}):\n", kShades.back(),
             HumanBytes(double(most)));
  for (size_t v = 0; v < 8; ++v) {
    std::string line;
    for (const auto& component : stats.components()) {
      line += "  ";
      for (size_t u = 0; u < 8; ++u) {
        const uint64_t bytes = component.bytes_by_frequency(kZigzag[8 * v + u]);
        const size_t shade = bytes == 0 ? 0 : 1 + static_cast<size_t>(double(bytes) / double(most) * 8.0);
        line += std::string(2, kShades[std::min(shade, kShades.size() - 1)]);
      }
    }
    fmt::print("{}\n", line);
  }
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

int DescribeDataset(const Globals& globals, const std::string& name) {
  client::Client client(globals.server);
  v1::GetDatasetRequest request;
  request.set_name(client::DatasetName(name));
  v1::Dataset dataset;
  grpc::ClientContext context;
  Check(client.datasets().GetDataset(&context, request, &dataset), globals);
  Json json = ToJson(dataset);
  if (globals.format != Format::kTable) {
    PrintRecord(globals.format, json);
    return kExitDone;
  }
  json.erase("bytes_by_frequency");
  for (const char* key : {"file_bytes", "column_bytes", "delta_bytes"}) json[key] = HumanBytes(json[key]);
  PrintRecord(globals.format, json);
  PrintHeatMap(dataset.stats());
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
  create->add_option("--layout", *layout, "How columns are encoded: fast (bit packing)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, v1::Layout>{{"fast", v1::LAYOUT_FAST}})
                      .description(""))
      ->default_str("fast");
  OnRun(create, run, [&globals, name, layout] { return Create(globals, *name, *layout); });

  CLI::App* list = dataset->add_subcommand("list", "List datasets");
  OnRun(list, run, [&globals] { return List(globals); });

  CLI::App* describe =
      dataset->add_subcommand("describe", "Images, segments and bytes by frequency of a dataset");
  describe->add_option("NAME", *name)->required();
  OnRun(describe, run, [&globals, name] { return DescribeDataset(globals, *name); });

  CLI::App* remove = dataset->add_subcommand("delete", "Delete a dataset and its images, for good");
  remove->add_option("NAME", *name)->required();
  OnRun(remove, run, [&globals, name] { return Delete(globals, *name); });
}

}  // namespace freqstore::cli
