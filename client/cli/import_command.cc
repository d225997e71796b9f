// freqstore import DATASET PATH...

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/attribute_file.h"
#include "client/cli/command.h"
#include "client/cli/import_report.h"
#include "client/cli/import_sources.h"
#include "client/cli/retry_options.h"
#include "client/cli/utf8.h"
#include "client/cpp/importer.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

namespace fs = std::filesystem;

/// What a server takes by default (--file-bytes-max): larger files are not even read.
constexpr uintmax_t kFileBytesMax = uintmax_t{64} << 20;

struct ImportCommandOptions {
  std::string dataset;
  std::vector<std::string> paths;
  bool recursive = false;
  v1::OnDamage on_damage = v1::ON_DAMAGE_KEEP;
  std::string attributes;
  std::string rejects;
  double retry_seconds = 300;
};

/// The file's content; nullopt if it was refused here.
std::optional<std::string> ReadSource(const ImportSource& source, ImportReport& report) {
  if (!IsUtf8(source.image_id)) {
    report.Refused(source.image_id, "INVALID_IMAGE_ID", "the file's name is not UTF-8; rename it");
    return std::nullopt;
  }
  std::error_code error;
  const uintmax_t bytes = fs::file_size(source.path, error);
  if (!error && bytes > kFileBytesMax) {
    report.Refused(
        source.image_id, "LIMIT_FILE_BYTES",
        fmt::format("{} bytes, above the {} that a server takes by default", bytes, kFileBytesMax));
    return std::nullopt;
  }
  try {
    return ReadFile(source.path.string());
  } catch (const CommandError& unreadable) {
    report.Refused(source.image_id, unreadable.reason(), unreadable.what());
    return std::nullopt;
  }
}

ImportReport::AttributeCounts CountLines(const AttributeFile& attributes,
                                         const std::vector<ImportSource>& sources) {
  ImportReport::AttributeCounts counts;
  counts.lines_without_image = attributes.rows().size();
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string& image_id = sources[i].image_id;
    if (attributes.Find(image_id) == nullptr) {
      ++counts.images_without_line;
    } else if (i == 0 || sources[i - 1].image_id != image_id) {
      --counts.lines_without_image;
    }
  }
  return counts;
}

int Import(const Globals& globals, const ImportCommandOptions& options) {
  const std::vector<ImportSource> sources = FindImportSources(options.paths, options.recursive);
  client::Client client(globals.server);
  // Also finds out whether there are the server and the dataset, before anything is read.
  const KnownAttributes known = GetKnownAttributes(client, globals, options.dataset);
  std::optional<AttributeFile> attributes;
  ImportReport::AttributeCounts counts;
  if (!options.attributes.empty()) {
    attributes.emplace(options.attributes, known);
    counts = CountLines(*attributes, sources);
  }

  ImportReport report(globals, options.rejects, sources.size());
  RetryNotice notice(globals, options.retry_seconds, [&] { report.MakeWay(); });
  client::Importer importer(client, options.dataset,
                            [&](const auto& acknowledgement) { report.Acknowledged(acknowledgement); },
                            {.on_damage = options.on_damage,
                             .retry = ToRetryPolicy(options.retry_seconds),
                             .on_retry = [&](const grpc::Status& cause) { notice.Tell(cause); }});
  for (const ImportSource& source : sources) {
    std::optional<std::string> file = ReadSource(source, report);
    if (!file) continue;
    report.Sent(file->size());
    const AttributeRow* row = attributes ? attributes->Find(source.image_id) : nullptr;
    auto values = row == nullptr ? AttributeFile::Attributes() : attributes->ValuesOf(*row);
    if (!importer.Send(source.image_id, *std::move(file), std::move(values))) break;
  }
  Check(importer.Finish(), globals);
  return report.End(attributes ? &counts : nullptr);
}

}  // namespace

void AddImportCommand(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* import = app.add_subcommand("import", "Import JPEG files");
  auto options = std::make_shared<ImportCommandOptions>();
  import->add_option("DATASET", options->dataset)->required();
  import->add_option("PATH", options->paths, "Files and folders; an image's id is its path relative to PATH")
      ->required();
  import->add_flag("--recursive", options->recursive, "Look into the folders below, too");
  import->add_option("--attributes", options->attributes,
                     "What images are, by their ids: FILE.tsv or FILE.jsonl, see below");
  const std::map<std::string, v1::OnDamage> on_damage = {{"keep", v1::ON_DAMAGE_KEEP},
                                                         {"reject", v1::ON_DAMAGE_REJECT}};
  import
      ->add_option("--on-damage", options->on_damage,
                   "Files whose image data is cut off or corrupt: keep (and note it) or reject")
      ->transform(CLI::CheckedTransformer(on_damage, CLI::ignore_case).description(""))
      ->default_str("keep");
  import->add_option("--rejects", options->rejects,
                     "Write refused files here: image, reason, message, tab-separated");
  AddRetryOption(*import, options->retry_seconds);
  import->footer(fmt::format(
      R"(An image is acknowledged once it is durable. Importing the same files again is harmless: what is there is
left as it is, its attributes too (`freqstore image set` changes them). A file that is refused costs only itself; the exit code
is then 1. When the connection breaks, or the server's disk is full, the import waits and goes on by itself.

{}{}
Examples:
  freqstore import photos ~/Pictures --recursive --rejects rejects.tsv
  freqstore import photos ~/Pictures --recursive --attributes labels.tsv
  freqstore --format jsonl import photos ~/Pictures | grep -v '"status":"OK"')",
      kAttributeFileHelp, kAttributeHelp));
  OnRun(import, run, [&globals, options] { return Import(globals, *options); });
}

}  // namespace freqstore::cli
