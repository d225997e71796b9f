// freqstore dataset describe | segments

#include <memory>
#include <vector>

#include <google/protobuf/util/time_util.h>

#include "client/cli/attribute_text.h"
#include "client/cli/command.h"
#include "client/cli/heat_map.h"
#include "client/cli/layout.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

using google::protobuf::util::TimeUtil;

constexpr size_t kSegmentsDescribed = 20;

Json ToJson(const v1::Dataset& dataset) {
  const v1::DatasetStats& stats = dataset.stats();
  Json json;
  json["dataset"] = dataset.name();
  json["layout"] = LayoutName(dataset.layout());
  json["created"] = TimeUtil::ToString(dataset.create_time());
  json["images"] = stats.images();
  json["delta_images"] = stats.delta_images();
  json["segments"] = stats.segments();
  json["deleted_images"] = stats.deleted_images();
  json["quarantined_segments"] = stats.quarantined_segments();
  json["attributes"] = Json::object();
  for (const v1::AttributeDefinition& attribute : dataset.attributes())
    json["attributes"][attribute.name()] = TypeName(attribute.type());
  Json layouts = Json::object();
  for (const v1::LayoutStats& layout : stats.layouts())
    layouts[LayoutName(layout.layout())] = layout.segments();
  json["segments_by_layout"] = std::move(layouts);
  json["file_bytes"] = stats.file_bytes();
  json["column_bytes"] = stats.column_bytes();
  json["delta_bytes"] = stats.delta_bytes();
  json["envelope_bytes"] = stats.envelope_bytes();
  json["kept_files"] = Json::object();
  for (const v1::KeptFileStats& kept : stats.kept_files())
    json["kept_files"][kept.reason()] = {{"images", kept.images()}, {"bytes", kept.bytes()}};
  Json components = Json::array();
  for (const v1::ComponentStats& component : stats.components()) {
    components.push_back(
        std::vector<uint64_t>(component.bytes_by_frequency().begin(), component.bytes_by_frequency().end()));
  }
  json["bytes_by_frequency"] = std::move(components);
  return json;
}

/// What people want of it: sizes for the eye, layouts only if there are several.
Json Readable(Json json) {
  json.erase("bytes_by_frequency");
  for (const char* key : {"file_bytes", "column_bytes", "delta_bytes", "envelope_bytes"})
    json[key] = HumanBytes(json[key]);
  std::vector<std::string> kept_files;
  for (const auto& [reason, kept] : json["kept_files"].items()) {
    kept_files.push_back(fmt::format("{} for {} ({})", kept["images"].get<uint64_t>(), reason,
                                     HumanBytes(kept["bytes"].get<double>())));
  }
  json["kept_files"] = kept_files.empty() ? "none" : fmt::format("{}", fmt::join(kept_files, ", "));
  std::vector<std::string> attributes;
  for (const auto& [name, type] : json["attributes"].items())
    attributes.push_back(fmt::format("{} ({})", name, type.get<std::string>()));
  json["attributes"] = attributes.empty() ? "none" : fmt::format("{}", fmt::join(attributes, ", "));
  const Json layouts = json["segments_by_layout"];
  if (layouts.size() < 2) {
    json.erase("segments_by_layout");
    return json;
  }
  std::vector<std::string> parts;
  for (const auto& [layout, segments] : layouts.items()) {
    parts.push_back(fmt::format("{} {}", segments.get<uint64_t>(), layout));
  }
  json["segments_by_layout"] = fmt::format("{}", fmt::join(parts, ", "));
  return json;
}

Json ToJson(const v1::Segment& segment) {
  Json json;
  json["segment"] = segment.segment_id();
  json["images"] = segment.images();
  json["deleted_images"] = segment.deleted_images();
  json["color"] = segment.color();
  json["sampling"] = segment.sampling();
  json["shorter_side"] = {segment.shorter_side_min(), segment.shorter_side_max()};
  json["quality"] = {segment.quality_min(), segment.quality_max()};
  json["layout"] = LayoutName(segment.layout());
  json["file_bytes"] = segment.file_bytes();
  json["column_bytes"] = segment.column_bytes();
  json["quarantine"] = segment.quarantine();
  return json;
}

/// "333-375"; one number for both ends where they agree, "-" where they are not known.
TableColumn Range(std::string title, std::string key) {
  return {std::move(title),
          [key = std::move(key)](const Json& record) -> std::string {
            const auto low = record[key][0].get<uint64_t>();
            const auto high = record[key][1].get<uint64_t>();
            if (high == 0) return "-";
            return low == high ? fmt::format("{}", low) : fmt::format("{}-{}", low, high);
          },
          true};
}

std::vector<TableColumn> SegmentColumns() {
  const auto ratio = [](const Json& record) {
    const auto file_bytes = record["file_bytes"].get<double>();
    return file_bytes == 0 ? "-" : fmt::format("{:.3f}", record["column_bytes"].get<double>() / file_bytes);
  };
  return {
      Number("SEGMENT", "segment"),   Number("IMAGES", "images"),       Number("DELETED", "deleted_images"),
      Field("COLOR", "color"),        Field("SAMPLING", "sampling"),    Range("SHORTER SIDE", "shorter_side"),
      Range("QUALITY", "quality"),    Field("LAYOUT", "layout"),        Size("BYTES", "column_bytes"),
      {"PER JPEG BYTE", ratio, true}, Field("QUARANTINE", "quarantine")};
}

/// Prints at most `count_max` segments.
void PrintSegments(client::Client& client, const Globals& globals, const std::string& name,
                   size_t count_max) {
  RecordPrinter printer(globals.format, SegmentColumns());
  v1::ListSegmentsRequest request;
  request.set_parent(client::DatasetName(name));
  request.set_page_size(1000);
  v1::ListSegmentsResponse response;
  do {
    grpc::ClientContext context;
    Check(client.datasets().ListSegments(&context, request, &response), globals);
    for (const v1::Segment& segment : response.segments()) {
      if (count_max == 0) break;
      printer.Print(ToJson(segment));
      --count_max;
    }
    request.set_page_token(response.next_page_token());
  } while (count_max > 0 && !response.next_page_token().empty());
  printer.End();
}

int Describe(const Globals& globals, const std::string& name) {
  client::Client client(globals.server);
  v1::GetDatasetRequest request;
  request.set_name(client::DatasetName(name));
  v1::Dataset dataset;
  grpc::ClientContext context;
  Check(client.datasets().GetDataset(&context, request, &dataset), globals);
  if (globals.format != Format::kTable) {
    PrintRecord(globals.format, ToJson(dataset));
    return kExitDone;
  }
  PrintRecord(globals.format, Readable(ToJson(dataset)));
  if (dataset.stats().segments() == 0) return kExitDone;
  fmt::print("\n");
  PrintSegments(client, globals, name, kSegmentsDescribed);
  if (dataset.stats().segments() > kSegmentsDescribed) {
    fmt::print("... and {} more: freqstore dataset segments {}\n",
               dataset.stats().segments() - kSegmentsDescribed, name);
  }
  fmt::print("\n{}", HeatMap(dataset.stats(), StdoutShowsColor()));
  return kExitDone;
}

int Segments(const Globals& globals, const std::string& name) {
  client::Client client(globals.server);
  PrintSegments(client, globals, name, SIZE_MAX);
  return kExitDone;
}

}  // namespace

void AddDescribeCommands(CLI::App& dataset, const Globals& globals, Run& run) {
  auto name = std::make_shared<std::string>();
  CLI::App* describe =
      dataset.add_subcommand("describe", "Images, attributes, segments and bytes by frequency of a dataset");
  describe->add_option("NAME", *name)->required();
  describe->footer(
      R"(Deleted images are those whose bytes are still on disk; `freqstore dataset deletions` tells more. A segment in quarantine is
damaged and not read any more; `freqstore dataset segments` says why.

Examples:
  freqstore dataset describe photos
  freqstore --format json dataset describe photos | jq .attributes)");
  OnRun(describe, run, [&globals, name] { return Describe(globals, *name); });

  CLI::App* segments =
      dataset.add_subcommand("segments", "List the segments of a dataset: what is stored together");
  segments->add_option("NAME", *name)->required();
  segments->footer(
      R"(A segment holds images of like components, size and quality. PER JPEG BYTE compares the bytes of its columns with
those of its JPEG files. One in QUARANTINE is damaged, for the reason given, and not read any more.

Examples:
  freqstore dataset segments photos
  freqstore --format jsonl dataset segments photos | jq 'select(.images < 64)')");
  OnRun(segments, run, [&globals, name] { return Segments(globals, *name); });
}

}  // namespace freqstore::cli
