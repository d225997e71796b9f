#include "server/options.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string_view>

#include <CLI/CLI.hpp>
#include <toml++/toml.h>

#include "fmt/format.h"

namespace freqstore {
namespace {

constexpr std::string_view kFooter =
    R"(Every option can also be given as a variable (--data-dir as FREQSTORE_DATA_DIR) or in the file
that --config names, in TOML: data-dir = "/srv/freqstore". Flags win over variables, variables over the file.

Sizes take KiB, MiB, GiB. SIGTERM drains: running streams may finish, new ones are refused.

--restore-from copies a checkpoint into an empty data-dir and checks it before serving. It may stay on the command
line: a data-dir that came from the same checkpoint is served as it is, with all that was written since. One that
holds anything else is refused, never replaced.

Examples:
  freqstored --data-dir ~/freqstore
  freqstored --data-dir /srv/freqstore --listen 127.0.0.1:9000 --workers 8 --store-memory 2GiB
  freqstored --data-dir /srv/freqstore --restore-from /backup/2025-01-31)";

std::string EnvironmentName(std::string_view flag) {
  std::string name = "FREQSTORE_";
  for (const char c : flag) name.push_back(c == '-' ? '_' : static_cast<char>(std::toupper(c)));
  return name;
}

template <typename T>
CLI::Option* Add(CLI::App& app, const std::string& flag, T& value, const std::string& help) {
  return app.add_option("--" + flag, value, help)->envname(EnvironmentName(flag))->capture_default_str();
}

CLI::Option* AddSize(CLI::App& app, const std::string& flag, uint64_t& value, const std::string& help) {
  return Add(app, flag, value, help)->transform(CLI::AsSizeValue(/*kb_is_1000=*/false));
}

CLI::Option* AddSeconds(CLI::App& app, const std::string& flag, std::chrono::seconds& value,
                        const std::string& help) {
  return app
      .add_option_function<uint64_t>(
          "--" + flag, [&value](uint64_t seconds) { value = std::chrono::seconds(seconds); }, help)
      ->envname(EnvironmentName(flag))
      ->default_str(std::to_string(value.count()));
}

void AddOptions(CLI::App& app, ServerOptions& options, std::string& data_dir, std::string& restore_from) {
  Add(app, "data-dir", data_dir, "Folder of the store; made if it does not exist")->required();
  Add(app, "listen", options.listen, "Address and port of the gRPC server; port 0 takes a free one");
  Add(app, "metrics-listen", options.metrics_listen,
      "Address and port of GET /metrics, for Prometheus: 127.0.0.1:8002; none if left out");
  Add(app, "workers", options.workers, "Threads that decode and run models")->check(CLI::Range(1, 1024));
  Add(app, "ingest-threads", options.storage.ingest_threads, "Threads that take in images")
      ->check(CLI::Range(1, 1024));
  Add(app, "segment-images", options.storage.import.segment.images,
      "Images of a full segment, unless they are large")
      ->check(CLI::Range(1, 65536));
  AddSize(app, "store-memory", options.storage.kv.memory_bytes,
          "Memory of the store: chunks kept after reading, writes not yet in tables, buffers of imports and "
          "scans");
  Add(app, "restore-from", restore_from, "Folder of a checkpoint to start from, if the data-dir is empty");
  Add(app, "batch-images", options.limits.pipeline.batch_images, "Images a model runs on at once")
      ->check(CLI::Range(1, 256));
  Add(app, "drain-seconds", options.drain_seconds, "How long streams may go on after SIGTERM");

  const std::string upkeep = "Upkeep";
  MaintenanceOptions& maintenance = options.storage.maintenance;
  Add(app, "columnize-images", maintenance.delta_images_max,
      "Recent images become segments once a dataset has so many")
      ->group(upkeep);
  AddSeconds(app, "columnize-seconds", maintenance.delta_age_max, "or once the oldest has waited so long")
      ->group(upkeep);
  Add(app, "compact-deleted-share", maintenance.deleted_share,
      "A segment is rewritten once this share of its images is deleted")
      ->check(CLI::Range(0.0, 1.0))
      ->group(upkeep);
  AddSeconds(app, "purge-seconds", maintenance.purge_after,
             "Deleted images leave the disk after about this time")
      ->group(upkeep);
  AddSize(app, "compaction-bytes-per-second", maintenance.compaction_bytes_per_second,
          "How fast segments are rewritten in the background; 0 for as fast as it goes")
      ->group(upkeep);

  const std::string limits = "Limits";
  AddSize(app, "free-bytes-min", options.storage.kv.free_bytes_min,
          "Room on the disk below which writes are refused")
      ->group(limits);
  AddSize(app, "bytes-in-flight-max", options.bytes_in_flight_max,
          "Chunks read and not yet decoded, all queries")
      ->group(limits);
  AddSize(app, "prefetch-bytes-max", options.limits.pipeline.prefetch_bytes_max, "The same, one query")
      ->group(limits);
  AddSize(app, "stream-output-bytes-max", options.limits.stream_output_bytes_max,
          "Rows made and not yet sent, one stream")
      ->group(limits);
  AddSize(app, "import-bytes-max", options.storage.import.stream_bytes_max,
          "Files taken and not yet acknowledged, one import")
      ->group(limits);
  AddSize(app, "file-bytes-max", options.limits.file_bytes_max, "One imported file")->group(limits);
  AddSize(app, "row-bytes-max", options.limits.row_bytes_max, "One image of a scan")->group(limits);
  AddSize(app, "model-bytes-max", options.limits.model_bytes_max, "One ONNX file")->group(limits);
  Add(app, "streams-max", options.limits.streams_max, "Queries and imports at one time")->group(limits);
  Add(app, "pixels-max", options.storage.import.jpeg.pixels_max, "Pixels of an image")->group(limits);
  Add(app, "scans-max", options.storage.import.jpeg.scans_max, "Scans of a progressive image")->group(limits);
  Add(app, "markers-max", options.storage.import.jpeg.markers_max, "Marker segments of an image")
      ->group(limits);
  AddSize(app, "marker-bytes-max", options.storage.import.jpeg.marker_bytes_max,
          "Bytes of an image's metadata, profiles and the like")
      ->group(limits);
}

/// The value of --config, before the command line is parsed: the file supplies defaults.
std::string ConfigPath(int argc, const char* const* argv) {
  constexpr std::string_view kFlag = "--config";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == kFlag && i + 1 < argc) return argv[i + 1];
    if (argument.starts_with(kFlag) && argument.size() > kFlag.size() && argument[kFlag.size()] == '=') {
      return std::string(argument.substr(kFlag.size() + 1));
    }
  }
  const char* variable = std::getenv("FREQSTORE_CONFIG");
  return variable == nullptr ? "" : variable;
}

std::string ToText(const toml::node& value) {
  if (const auto text = value.value_exact<std::string>()) return *text;
  if (const auto number = value.value_exact<int64_t>()) return std::to_string(*number);
  throw CLI::ValidationError("values are strings or whole numbers");
}

void ApplyConfigFile(CLI::App& app, const std::string& path) {
  toml::table table;
  try {
    table = toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    throw CLI::FileError(fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
  }
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    CLI::Option* option = app.get_option_no_throw("--" + name);
    if (option == nullptr) throw CLI::FileError(fmt::format("{}: there is no option '{}'", path, name));
    try {
      option->default_val(ToText(value));
    } catch (const CLI::Error& error) {
      throw CLI::FileError(fmt::format("{}: {}: {}", path, name, error.what()));
    }
    option->required(false);
  }
}

}  // namespace

std::variant<ServerOptions, int> ParseServerOptions(int argc, const char* const* argv) {
  ServerOptions options;
  std::string data_dir;
  std::string restore_from;
  std::string config;
  CLI::App app("freqstored: a column-store database server for images", "freqstored");
  app.footer(std::string(kFooter));
  app.set_version_flag("--version", "freqstored " FREQSTORE_VERSION);
  app.add_option("--config", config, "TOML file with options")->envname("FREQSTORE_CONFIG");
  AddOptions(app, options, data_dir, restore_from);
  try {
    if (const std::string path = ConfigPath(argc, argv); !path.empty()) ApplyConfigFile(app, path);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : 2;
  } catch (const CLI::Error& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  options.storage.data_dir = data_dir;
  options.restore_from = restore_from;
  return options;
}

}  // namespace freqstore
