// freqstore scan DATASET --scale k/8 | --coefficients --out DIR

#include <memory>

#include "client/cli/command.h"
#include "client/cli/output_path.h"
#include "client/cli/progress.h"
#include "client/cli/query_options.h"
#include "client/cli/scan_writer.h"
#include "client/cpp/error.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

struct ScanOptions {
  std::string dataset;
  std::string scale;
  bool coefficients = false;
  uint32_t side = 8;
  std::string out;
  Selection selection;
  bool ignore_orientation = false;
};

v1::ScanRequest ToRequest(const ScanOptions& options) {
  v1::ScanRequest request;
  request.set_dataset(client::DatasetName(options.dataset));
  request.mutable_image_ids()->Assign(options.selection.images.begin(), options.selection.images.end());
  request.set_filter(options.selection.filter);
  if (options.coefficients) {
    request.mutable_coefficients()->set_side(options.side);
  } else {
    request.mutable_pixels()->set_scale(ParseScale(options.scale));
    request.mutable_pixels()->set_ignore_orientation(options.ignore_orientation);
  }
  return request;
}

/// Writes a row's files and gives the record to print.
Json Write(const ScanOptions& options, const v1::ScanRow& row) {
  Json json;
  json["image"] = row.image_id();
  if (row.status().code() != 0) {
    json["status"] = client::ReasonOf(row.status());
    json["message"] = row.status().message();
    return json;
  }
  json["status"] = "OK";
  if (row.has_pixels()) {
    const auto path = OutputPath(options.out, row.image_id(), ".png");
    WritePng(path, row.pixels());
    json["width"] = row.pixels().width();
    json["height"] = row.pixels().height();
    json["files"] = {path.string()};
    return json;
  }
  json["width"] = row.coefficients().width();
  json["height"] = row.coefficients().height();
  json["color"] = row.coefficients().color();
  Json files = Json::array();
  Json components = Json::array();
  for (int c = 0; c < row.coefficients().components_size(); ++c) {
    const v1::ComponentCoefficients& component = row.coefficients().components(c);
    const auto path = OutputPath(options.out, row.image_id(), fmt::format(".c{}.npy", c));
    WriteNpy(path, component);
    files.push_back(path.string());
    Json described;
    described["sampling"] = {component.h_samp(), component.v_samp()};
    described["frequencies"] =
        std::vector<uint32_t>(component.frequencies().begin(), component.frequencies().end());
    described["quant"] = std::vector<uint32_t>(component.quant().begin(), component.quant().end());
    components.push_back(std::move(described));
  }
  json["files"] = std::move(files);
  json["components"] = std::move(components);
  return json;
}

int Scan(const Globals& globals, const ScanOptions& options) {
  client::Client client(globals.server);
  grpc::ClientContext context;
  const auto stream = client.queries().Scan(&context, ToRequest(options));
  RecordPrinter printer(globals.format, {Field("IMAGE", "image"), Field("STATUS", "status"),
                                         Number("WIDTH", "width"), Number("HEIGHT", "height")});
  Progress progress("scan", 0, "images");
  v1::ScanResponse response;
  v1::QueryStats stats;
  while (stream->Read(&response)) {
    uint64_t bytes = 0;
    for (const v1::ScanRow& row : response.rows()) {
      Json record = Write(options, row);
      bytes += row.ByteSizeLong();
      if (globals.format != Format::kTable || row.status().code() != 0) {
        progress.Clear();
        printer.Print(std::move(record));
      }
    }
    progress.Add(static_cast<uint64_t>(response.rows_size()), bytes);
    if (response.has_stats()) stats = response.stats();
  }
  progress.Clear();
  if (globals.format != Format::kTable || stats.rows_failed() > 0) printer.End();
  Check(stream->Finish(), globals);
  fmt::print(stderr, "{}; written to {}\n", Summary(stats), options.out);
  return stats.rows_failed() == 0 ? kExitDone : kExitFailed;
}

}  // namespace

void AddScanCommand(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* scan = app.add_subcommand("scan", "Write reduced images or coefficients to files");
  auto options = std::make_shared<ScanOptions>();
  scan->add_option("DATASET", options->dataset)->required();
  auto* output = scan->add_option_group("output");
  output->add_option("--scale", options->scale, "PNG images at k/8 of their size, k from 1 to 8")
      ->check([](const std::string& text) {
        ParseScale(text);
        return std::string();
      });
  output->add_flag(
      "--coefficients", options->coefficients,
      "Quantised DCT coefficients as NumPy files, a file a component: int16 [frequency, row, column]");
  output->require_option(1);
  scan->add_option("--side", options->side, "With --coefficients: only the low SIDE x SIDE frequencies")
      ->capture_default_str()
      ->check(CLI::Range(1, 8));
  scan->add_option("--out", options->out, "Folder to write to")->required();
  AddSelectionOptions(*scan, options->selection);
  scan->add_flag("--ignore-orientation", options->ignore_orientation, "Do not apply EXIF orientation");
  scan->footer(fmt::format(
      R"(Files are named after the images; the folders of their ids are made. With --format jsonl, a line an image tells
its files, and with --coefficients their frequencies (zigzag indices) and quantisers.

{}
Examples:
  freqstore scan photos --scale 2/8 --out thumbnails
  freqstore scan photos --scale 1/8 --out dogs --filter 'label = dog'
  freqstore --format jsonl scan photos --coefficients --side 4 --out coefficients)",
      kFilterHelp));
  OnRun(scan, run, [&globals, options] { return Scan(globals, *options); });
}

}  // namespace freqstore::cli
