// freqstore export DATASET --out DIR

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "client/cli/command.h"
#include "client/cli/output_path.h"
#include "client/cli/progress.h"
#include "client/cli/sha256.h"
#include "client/cpp/error.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kImagesPerRequest = 10000;
constexpr uint64_t kFailuresShown = 10;

struct ExportOptions {
  std::string dataset;
  std::string out;
  std::vector<std::string> images;
};

struct Wanted {
  fs::path path;
  std::string sha256;
};

/// Prints, and counts, what becomes of each image.
class Report {
 public:
  Report(const Globals& globals, uint64_t total)
      : format_(globals.format),
        printer_(globals.format, {Field("IMAGE", "image"), Field("STATUS", "status"), Size("SIZE", "bytes")}),
        progress_("export", total, "images") {}

  void Written(const std::string& image_id, const fs::path& path, uint64_t bytes) {
    ++written_;
    bytes_ += bytes;
    Print({{"image", image_id}, {"status", "OK"}, {"bytes", bytes}, {"file", path.string()}});
    progress_.Add(1, bytes);
  }

  void ThereBefore() {
    ++there_before_;
    progress_.Add(1);
  }

  void Failed(const std::string& image_id, const std::string& reason, const std::string& message) {
    ++failed_;
    Print({{"image", image_id}, {"status", reason}, {"message", message}});
    if (failed_ <= kFailuresShown && format_ == Format::kTable) {
      progress_.Clear();
      fmt::print(stderr, "failed {}: {} [{}]\n", image_id, message, reason);
    }
    progress_.Add(1);
  }

  void MakeWay() { progress_.Clear(); }

  int End(const std::string& out) {
    progress_.Clear();
    if (format_ != Format::kTable) printer_.End();
    if (failed_ > kFailuresShown && format_ == Format::kTable)
      fmt::print(stderr, "... and {} more; --format jsonl lists all\n", failed_ - kFailuresShown);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    fmt::print(
        stderr,
        "exported {} files ({}) to {} in {:.1f} s, each with the SHA-256 of what was imported; {} there "
        "before; {} failed\n",
        written_, HumanBytes(double(bytes_)), out, seconds, there_before_, failed_);
    return failed_ == 0 ? kExitDone : kExitFailed;
  }

 private:
  void Print(Json record) {
    if (format_ == Format::kTable) return;
    progress_.Clear();
    printer_.Print(std::move(record));
  }

  const Format format_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  RecordPrinter printer_;
  Progress progress_;
  uint64_t written_ = 0;
  uint64_t there_before_ = 0;
  uint64_t failed_ = 0;
  uint64_t bytes_ = 0;
};

std::vector<v1::Image> ListImages(client::Client& client, const Globals& globals,
                                  const ExportOptions& options) {
  std::vector<v1::Image> images;
  for (const std::string& image_id : options.images) {
    v1::GetImageRequest request;
    request.set_name(client::ImageName(options.dataset, image_id));
    grpc::ClientContext context;
    Check(client.images().GetImage(&context, request, &images.emplace_back()), globals);
  }
  if (!options.images.empty()) return images;
  v1::ListImagesRequest request;
  request.set_parent(client::DatasetName(options.dataset));
  request.set_page_size(1000);
  v1::ListImagesResponse response;
  do {
    grpc::ClientContext context;
    Check(client.images().ListImages(&context, request, &response), globals);
    images.insert(images.end(), response.images().begin(), response.images().end());
    request.set_page_token(response.next_page_token());
  } while (!response.next_page_token().empty());
  return images;
}

bool IsThere(const fs::path& path, const v1::Image& image) {
  std::error_code error;
  return fs::is_regular_file(path, error) && fs::file_size(path, error) == image.file_bytes() &&
         Sha256(ReadFile(path.string())) == image.sha256();
}

/// Whole or not at all, also if this ends in between.
void WriteWhole(const fs::path& path, const std::string& bytes) {
  fs::path part = path;
  part += ".freqstore-part";
  std::ofstream out(part, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  std::error_code error;
  if (out) fs::rename(part, path, error);
  if (!out || error) throw CommandError("CANNOT_WRITE", "cannot write " + path.string());
}

void Receive(const v1::ExportImagesResponse& response, const std::map<std::string, Wanted>& wanted,
             Report& report) {
  const auto found = wanted.find(response.image_id());
  if (found == wanted.end()) return;  // imported since the images were listed
  if (response.status().code() != 0) {
    report.Failed(response.image_id(), client::ReasonOf(response.status()), response.status().message());
    return;
  }
  if (Sha256(response.file()) != found->second.sha256) {
    report.Failed(response.image_id(), "SHA256_MISMATCH", "the file is not what was imported");
    return;
  }
  WriteWhole(found->second.path, response.file());
  report.Written(response.image_id(), found->second.path, response.file().size());
}

int Export(const Globals& globals, const ExportOptions& options) {
  client::Client client(globals.server);
  const std::vector<v1::Image> images = ListImages(client, globals, options);
  Report report(globals, images.size());
  std::map<std::string, Wanted> wanted;
  std::set<fs::path> paths;
  for (const v1::Image& image : images) {
    try {
      const fs::path path = OutputPath(options.out, image.image_id(), "");
      if (!paths.insert(path).second)
        throw CommandError("SAME_PATH", "another image's file is written to " + path.string());
      if (IsThere(path, image)) {
        report.ThereBefore();
      } else {
        wanted[image.image_id()] = {path, image.sha256()};
      }
    } catch (const CommandError& error) {
      report.Failed(image.image_id(), error.reason(), error.what());
    }
  }

  for (auto next = wanted.begin(); next != wanted.end();) {
    v1::ExportImagesRequest request;
    request.set_parent(client::DatasetName(options.dataset));
    if (wanted.size() == images.size() && options.images.empty()) {
      next = wanted.end();  // all: they need not be named
    } else {
      for (size_t i = 0; i < kImagesPerRequest && next != wanted.end(); ++i, ++next)
        request.add_image_ids(next->first);
    }
    grpc::ClientContext context;
    const auto stream = client.images().ExportImages(&context, request);
    v1::ExportImagesResponse response;
    while (stream->Read(&response)) Receive(response, wanted, report);
    const grpc::Status status = stream->Finish();
    if (!status.ok()) {
      report.End(options.out);
      fmt::print(stderr, "the same command goes on where this one ended\n");
      Check(status, globals);
    }
  }
  return report.End(options.out);
}

}  // namespace

void AddExportCommand(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* command = app.add_subcommand("export", "Get the original files back, byte for byte");
  auto options = std::make_shared<ExportOptions>();
  command->add_option("DATASET", options->dataset)->required();
  command->add_option("--out", options->out, "Folder to write to")->required();
  command->add_option("--image", options->images, "Only this image; may be given more than once");
  command->footer(
      R"(Each file is written under its image's id, and has the SHA-256 of the file that was imported: the server and this command
both compare it. Files that are there already with the right content are left alone, so an export that was broken off goes
on when it is started again.

Examples:
  freqstore export photos --out photos
  freqstore --format jsonl export photos --out photos > exported.jsonl)");
  OnRun(command, run, [&globals, options] { return Export(globals, *options); });
}

}  // namespace freqstore::cli
