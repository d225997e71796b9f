// freqstore import DATASET PATH...

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "client/cli/command.h"
#include "client/cli/progress.h"
#include "client/cpp/error.h"
#include "client/cpp/importer.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

namespace fs = std::filesystem;

/// What a server takes by default (--file-bytes-max): larger files are not even read.
constexpr uintmax_t kFileBytesMax = uintmax_t{64} << 20;
constexpr size_t kRejectsShown = 10;

struct ImportOptions {
  std::string dataset;
  std::vector<std::string> paths;
  bool recursive = false;
  v1::OnDamage on_damage = v1::ON_DAMAGE_KEEP;
  std::string rejects;
};

struct Source {
  fs::path path;
  std::string image_id;  ///< relative to the PATH it was found under
};

void AddFolder(const fs::path& folder, bool recursive, std::vector<Source>& sources) {
  const auto add = [&](const fs::directory_entry& entry) {
    if (entry.is_regular_file())
      sources.push_back({entry.path(), fs::relative(entry.path(), folder).generic_string()});
  };
  if (recursive) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) add(entry);
  } else {
    for (const auto& entry : fs::directory_iterator(folder)) add(entry);
  }
}

/// Names that are not UTF-8 cannot travel as an id; the message would end the whole stream.
bool IsUtf8(const std::string& text) {
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

std::vector<Source> FindSources(const ImportOptions& options) {
  std::vector<Source> sources;
  for (const fs::path path : options.paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      AddFolder(path, options.recursive, sources);
    } else if (fs::exists(path, error)) {
      sources.push_back({path, path.filename().string()});
    } else {
      throw CommandError("CANNOT_READ", fmt::format("there is no file or folder {}", path.string()));
    }
  }
  if (sources.empty()) {
    throw CommandError("NOTHING_TO_IMPORT", "no files found; --recursive also looks into the folders below");
  }
  std::sort(sources.begin(), sources.end(),
            [](const Source& a, const Source& b) { return a.image_id < b.image_id; });
  return sources;
}

/// Counts outcomes, prints them as JSON lines if asked for, keeps the refused ones. Thread-safe.
class Report {
 public:
  Report(const Globals& globals, const ImportOptions& options, uint64_t total)
      : format_(globals.format), progress_("import", total, "images") {
    if (options.rejects.empty()) return;
    rejects_.open(options.rejects);
    if (!rejects_) throw CommandError("CANNOT_WRITE", "cannot write " + options.rejects);
  }

  void Acknowledged(const v1::ImportAcknowledgement& acknowledgement) {
    if (acknowledgement.status().code() == 0) {
      const std::lock_guard lock(mutex_);
      ++imported_;
      if (acknowledgement.already_present()) ++already_present_;
      PrintLine(acknowledgement.image_id(), "OK", "");
      progress_.Add(1);
      return;
    }
    Refused(acknowledgement.image_id(), client::ReasonOf(acknowledgement.status()),
            acknowledgement.status().message());
  }

  void Refused(const std::string& image_id, const std::string& reason, const std::string& message) {
    const std::lock_guard lock(mutex_);
    ++refused_;
    PrintLine(image_id, reason, message);
    if (rejects_.is_open()) rejects_ << image_id << '\t' << reason << '\t' << message << '\n';
    if (refused_ <= kRejectsShown && format_ == Format::kTable) {
      progress_.Clear();
      fmt::print(stderr, "refused {}: {} [{}]\n", image_id, message, reason);
    }
    progress_.Add(1);
  }

  void Sent(uint64_t bytes) { bytes_ += bytes; }

  int End() {
    progress_.Clear();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (refused_ > kRejectsShown && format_ == Format::kTable) {
      fmt::print(stderr, "... and {} more; --rejects FILE or --format jsonl lists all\n",
                 refused_ - kRejectsShown);
    }
    Json summary;
    summary["imported"] = imported_;
    summary["already_present"] = already_present_;
    summary["refused"] = refused_;
    summary["bytes"] = bytes_;
    summary["seconds"] = seconds;
    if (format_ == Format::kTable) {
      fmt::print(
          "imported {} of {} images ({}) in {:.1f} s: {:.0f} images/s, {}/s; {} refused, {} there before\n",
          imported_, imported_ + refused_, HumanBytes(double(bytes_)), seconds,
          double(imported_) / std::max(seconds, 1e-3), HumanBytes(double(bytes_) / std::max(seconds, 1e-3)),
          refused_, already_present_);
    } else if (format_ == Format::kJson) {
      fmt::print("{}\n", summary.dump(2));
    }
    return refused_ == 0 ? kExitDone : kExitFailed;
  }

 private:
  void PrintLine(const std::string& image_id, const std::string& status, const std::string& message) const {
    if (format_ != Format::kJsonl) return;
    Json line;
    line["image"] = image_id;
    line["status"] = status;
    if (!message.empty()) line["message"] = message;
    fmt::print("{}\n", line.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  const Format format_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Progress progress_;
  std::mutex mutex_;
  std::ofstream rejects_;
  uint64_t imported_ = 0;
  uint64_t already_present_ = 0;
  uint64_t refused_ = 0;
  uint64_t bytes_ = 0;
};

int Import(const Globals& globals, const ImportOptions& options) {
  const std::vector<Source> sources = FindSources(options);
  Report report(globals, options, sources.size());
  client::Client client(globals.server);
  client::Importer importer(
      client, options.dataset, [&](const auto& ack) { report.Acknowledged(ack); }, options.on_damage);
  for (const Source& source : sources) {
    if (!IsUtf8(source.image_id)) {
      report.Refused(source.image_id, "INVALID_IMAGE_ID", "the file's name is not UTF-8; rename it");
      continue;
    }
    std::error_code error;
    const uintmax_t bytes = fs::file_size(source.path, error);
    if (!error && bytes > kFileBytesMax) {
      report.Refused(
          source.image_id, "LIMIT_FILE_BYTES",
          fmt::format("{} bytes, above the {} that a server takes by default", bytes, kFileBytesMax));
      continue;
    }
    std::string file;
    try {
      file = ReadFile(source.path.string());
    } catch (const CommandError& unreadable) {
      report.Refused(source.image_id, unreadable.reason(), unreadable.what());
      continue;
    }
    report.Sent(file.size());
    if (!importer.Send(source.image_id, std::move(file))) break;
  }
  Check(importer.Finish(), globals);
  return report.End();
}

}  // namespace

void AddImportCommand(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* import = app.add_subcommand("import", "Import JPEG files");
  auto options = std::make_shared<ImportOptions>();
  import->add_option("DATASET", options->dataset)->required();
  import->add_option("PATH", options->paths, "Files and folders; an image's id is its path relative to PATH")
      ->required();
  import->add_flag("--recursive", options->recursive, "Look into the folders below, too");
  const std::map<std::string, v1::OnDamage> on_damage = {{"keep", v1::ON_DAMAGE_KEEP},
                                                         {"reject", v1::ON_DAMAGE_REJECT}};
  import
      ->add_option("--on-damage", options->on_damage,
                   "Files whose image data is cut off or corrupt: keep (and note it) or reject")
      ->transform(CLI::CheckedTransformer(on_damage, CLI::ignore_case).description(""))
      ->default_str("keep");
  import->add_option("--rejects", options->rejects,
                     "Write refused files here: image, reason, message, tab-separated");
  import->footer(
      R"(An image is acknowledged once it is durable. Importing the same files again is harmless: what is there is
left as it is. A file that is refused costs only itself; the exit code is then 1.

Examples:
  freqstore import photos ~/Pictures --recursive --rejects rejects.tsv
  freqstore --format jsonl import photos ~/Pictures | grep -v '"status":"OK"')");
  OnRun(import, run, [&globals, options] { return Import(globals, *options); });
}

}  // namespace freqstore::cli
