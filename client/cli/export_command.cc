// freqstore export DATASET --out DIR

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client/cli/command.h"
#include "client/cli/export_report.h"
#include "client/cli/output_path.h"
#include "client/cli/query_options.h"
#include "client/cli/retry_options.h"
#include "client/cli/sha256.h"
#include "client/cpp/error.h"
#include "client/cpp/transient.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kImagesPerRequest = 10000;

struct ExportOptions {
  std::string dataset;
  std::string out;
  Selection selection;
  double retry_seconds = 300;
};

struct Listed {
  std::string image_id;
  uint64_t file_bytes;
  std::string sha256;
};

struct Wanted {
  fs::path path;
  std::string sha256;
};
using WantedById = std::map<std::string, Wanted>;

Listed ToListed(const v1::Image& image) {
  return {image.image_id(), image.file_bytes(), image.sha256()};
}

std::vector<Listed> ListImages(client::Client& client, const Globals& globals, const ExportOptions& options) {
  std::vector<Listed> images;
  for (const std::string& image_id : options.selection.images) {
    v1::GetImageRequest request;
    request.set_name(client::ImageName(options.dataset, image_id));
    v1::Image image;
    grpc::ClientContext context;
    Check(client.images().GetImage(&context, request, &image), globals);
    images.push_back(ToListed(image));
  }
  if (!options.selection.images.empty()) return images;
  v1::ListImagesRequest request;
  request.set_parent(client::DatasetName(options.dataset));
  request.set_page_size(1000);
  request.set_filter(options.selection.filter);
  v1::ListImagesResponse response;
  do {
    grpc::ClientContext context;
    Check(client.images().ListImages(&context, request, &response), globals);
    for (const v1::Image& image : response.images()) images.push_back(ToListed(image));
    request.set_page_token(response.next_page_token());
  } while (!response.next_page_token().empty());
  return images;
}

bool IsThere(const fs::path& path, const Listed& image) {
  std::error_code error;
  return fs::is_regular_file(path, error) && fs::file_size(path, error) == image.file_bytes &&
         Sha256(ReadFile(path.string())) == image.sha256;
}

/// What is not there yet.
WantedById FindWanted(const std::vector<Listed>& images, const ExportOptions& options, ExportReport& report) {
  WantedById wanted;
  std::set<fs::path> paths;
  for (const Listed& image : images) {
    try {
      const fs::path path = OutputPath(options.out, image.image_id, "");
      if (!paths.insert(path).second)
        throw CommandError("SAME_PATH", "another image's file is written to " + path.string());
      if (IsThere(path, image)) {
        report.ThereBefore();
      } else {
        wanted[image.image_id] = {path, image.sha256};
      }
    } catch (const CommandError& error) {
      report.Failed(image.image_id, error.reason(), error.what());
    }
  }
  return wanted;
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

void Take(const v1::ExportImagesResponse& response, const Wanted& wanted, ExportReport& report) {
  if (response.status().code() != 0) {
    report.Failed(response.image_id(), client::ReasonOf(response.status()), response.status().message());
    return;
  }
  if (Sha256(response.file()) != wanted.sha256) {
    report.Failed(response.image_id(), "SHA256_MISMATCH", "the file is not what was imported");
    return;
  }
  WriteWhole(wanted.path, response.file());
  report.Written(response.image_id(), wanted.path, response.file().size());
}

/// One stream. What is answered leaves `wanted`.
grpc::Status Receive(client::Client& client, const v1::ExportImagesRequest& request, WantedById& wanted,
                     ExportReport& report) {
  grpc::ClientContext context;
  const auto stream = client.images().ExportImages(&context, request);
  v1::ExportImagesResponse response;
  while (stream->Read(&response)) {
    const auto found = wanted.find(response.image_id());
    if (found == wanted.end()) continue;  // imported since the images were listed
    Take(response, found->second, report);
    wanted.erase(found);
  }
  return stream->Finish();
}

v1::ExportImagesRequest RequestNamed(const ExportOptions& options, const WantedById& wanted) {
  v1::ExportImagesRequest request;
  request.set_parent(client::DatasetName(options.dataset));
  for (const auto& [image_id, image] : wanted) {
    if (std::cmp_equal(request.image_ids_size(), kImagesPerRequest)) break;
    request.add_image_ids(image_id);
  }
  return request;
}

/// Gets `wanted`, with as many streams as that takes. `is_all`: it is all that the selection means, so that
/// the first stream need not name it.
void ReceiveAll(client::Client& client, const Globals& globals, const ExportOptions& options, bool is_all,
                WantedById wanted, ExportReport& report) {
  client::Backoff backoff(ToRetryPolicy(options.retry_seconds));
  RetryNotice notice(globals, options.retry_seconds, [&] { report.MakeWay(); });
  v1::ExportImagesRequest request = RequestNamed(options, wanted);
  if (is_all) {
    request.clear_image_ids();
    request.set_filter(options.selection.filter);
  }
  for (; !wanted.empty(); request = RequestNamed(options, wanted)) {
    const size_t count_before = wanted.size();
    const grpc::Status status = Receive(client, request, wanted, report);
    if (wanted.size() < count_before) backoff.Progressed();
    if (status.ok()) {
      for (const std::string& image_id : request.image_ids()) {
        if (wanted.erase(image_id) > 0)
          report.Failed(image_id, "NOT_ANSWERED", "the server sent no answer for it");
      }
      continue;
    }
    const auto delay =
        client::IsTransient(status) ? backoff.Next(std::chrono::steady_clock::now()) : std::nullopt;
    if (!delay) {
      report.End(options.out);
      fmt::print(stderr, "the same command goes on where this one ended\n");
      Check(status, globals);
    }
    notice.Tell(status);
    std::this_thread::sleep_for(*delay);
  }
}

int Export(const Globals& globals, const ExportOptions& options) {
  client::Client client(globals.server);
  const std::vector<Listed> images = ListImages(client, globals, options);
  ExportReport report(globals, images.size());
  WantedById wanted = FindWanted(images, options, report);
  const bool is_all = wanted.size() == images.size() && options.selection.images.empty();
  ReceiveAll(client, globals, options, is_all, std::move(wanted), report);
  return report.End(options.out);
}

}  // namespace

void AddExportCommand(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* command = app.add_subcommand("export", "Get the original files back, byte for byte");
  auto options = std::make_shared<ExportOptions>();
  command->add_option("DATASET", options->dataset)->required();
  command->add_option("--out", options->out, "Folder to write to")->required();
  AddSelectionOptions(*command, options->selection);
  AddRetryOption(*command, options->retry_seconds);
  command->footer(fmt::format(
      R"(Each file is written under its image's id, and has the SHA-256 of the file that was imported: the server and this command
both compare it. Files that are there already with the right content are left alone. When the connection breaks, the export
waits and asks again for what is missing; one that was broken off goes on when it is started again.

{}
Examples:
  freqstore export photos --out photos
  freqstore export photos --out dogs --filter 'label = dog'
  freqstore --format jsonl export photos --out photos > exported.jsonl)",
      kFilterHelp));
  OnRun(command, run, [&globals, options] { return Export(globals, *options); });
}

}  // namespace freqstore::cli
