// freqstore image delete DATASET IMAGE... | --filter F | --ids-from FILE

#include <iostream>
#include <memory>
#include <sstream>
#include <unistd.h>

#include "client/cli/command.h"
#include "client/cli/missing_images.h"
#include "client/cli/query_options.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

constexpr int kImagesPerRequest = 10000;

struct DeleteOptions {
  std::string dataset;
  std::vector<std::string> images;
  std::string filter;
  std::string ids_from;
  bool yes = false;
};

struct DeleteResult {
  uint64_t images = 0;
  std::vector<uint64_t> deletions;
  std::vector<std::string> missing;
};

std::vector<std::string> ReadIds(const std::string& path) {
  std::istringstream lines(path == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {})
                                       : ReadFile(path));
  std::vector<std::string> ids;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) ids.push_back(std::move(line));
  }
  return ids;
}

uint64_t CountMatching(client::Client& client, const Globals& globals, const DeleteOptions& options) {
  v1::ExplainRequest request;
  request.mutable_scan()->set_dataset(client::DatasetName(options.dataset));
  request.mutable_scan()->set_filter(options.filter);
  request.mutable_scan()->mutable_pixels()->set_scale(1);
  v1::ExplainResponse response;
  grpc::ClientContext context;
  Check(client.queries().Explain(&context, request, &response), globals);
  return response.plan().images();
}

/// Whether the user wants what the filter means to go.
bool Confirm(client::Client& client, const Globals& globals, const DeleteOptions& options) {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0)
    throw UsageError("--filter may mean many images, and there is no terminal to ask on: add --yes");
  fmt::print(stderr, "delete {} images of {} for which {} holds? [y/N] ",
             CountMatching(client, globals, options), options.dataset, options.filter);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

void Send(client::Client& client, const Globals& globals, const v1::DeleteImagesRequest& request,
          DeleteResult& result) {
  v1::DeleteImagesResponse response;
  grpc::ClientContext context;
  const grpc::Status status = client.images().DeleteImages(&context, request, &response);
  if (!status.ok() && result.images > 0)
    fmt::print(stderr, "{} images were deleted before this error\n", result.images);
  Check(status, globals);
  result.images += response.images();
  if (response.deletion_id() != 0) result.deletions.push_back(response.deletion_id());
  result.missing.insert(result.missing.end(), response.missing().begin(), response.missing().end());
}

DeleteResult DeleteNamed(client::Client& client, const Globals& globals, const std::string& dataset,
                         const std::vector<std::string>& images) {
  DeleteResult result;
  v1::DeleteImagesRequest request;
  request.set_parent(client::DatasetName(dataset));
  for (const std::string& image : images) {
    request.add_image_ids(image);
    if (request.image_ids_size() < kImagesPerRequest) continue;
    Send(client, globals, request, result);
    request.clear_image_ids();
  }
  if (request.image_ids_size() > 0) Send(client, globals, request, result);
  return result;
}

void Print(const Globals& globals, const std::string& dataset, const DeleteResult& result) {
  if (globals.format != Format::kTable) {
    PrintRecord(globals.format,
                {{"images", result.images}, {"deletions", result.deletions}, {"missing", result.missing}});
    return;
  }
  fmt::print("deleted {} images", result.images);
  if (!result.deletions.empty())
    fmt::print(", deletion {}: freqstore dataset deletions {}", fmt::join(result.deletions, ", "), dataset);
  fmt::print("\n");
}

int Delete(const Globals& globals, DeleteOptions options) {
  const int ways = (options.images.empty() ? 0 : 1) + (options.filter.empty() ? 0 : 1) +
                   (options.ids_from.empty() ? 0 : 1);
  if (ways != 1) throw UsageError("say which images, in one way: by their ids, by --filter or by --ids-from");
  client::Client client(globals.server);
  DeleteResult result;
  if (options.filter.empty()) {
    if (!options.ids_from.empty()) options.images = ReadIds(options.ids_from);
    result = DeleteNamed(client, globals, options.dataset, options.images);
  } else {
    if (!options.yes && !Confirm(client, globals, options)) {
      fmt::print(stderr, "nothing was deleted\n");
      return kExitFailed;
    }
    v1::DeleteImagesRequest request;
    request.set_parent(client::DatasetName(options.dataset));
    request.set_filter(options.filter);
    Send(client, globals, request, result);
  }
  Print(globals, options.dataset, result);
  PrintMissing(globals, result.missing);
  return result.missing.empty() ? kExitDone : kExitFailed;
}

}  // namespace

void AddImageDeleteCommand(CLI::App& image, const Globals& globals, Run& run) {
  CLI::App* remove = image.add_subcommand("delete", "Delete images, for good");
  auto options = std::make_shared<DeleteOptions>();
  remove->add_option("DATASET", options->dataset)->required();
  remove->add_option("IMAGE", options->images, "Images, by id");
  remove->add_option("--filter", options->filter, "All images for which this holds, see below");
  remove->add_option("--ids-from", options->ids_from, "Images by their ids, a line each; - for stdin");
  remove->add_flag("--yes", options->yes, "Do not ask whether what --filter means is to go");
  remove->footer(fmt::format(
      R"(Deleted images are gone at once for whoever asks from now on. Their bytes leave the disk later, and `freqstore dataset
deletions` says when; `freqstore admin compact` sees to it now. Ids that no image has are named; the exit code is then 1.

{}
Examples:
  freqstore image delete photos cats/1.jpg cats/2.jpg
  freqstore image delete photos --filter 'duplicate_of:*' --yes
  freqstore --format jsonl image list photos --filter 'label = dog' | jq -r .image | freqstore image delete photos --ids-from -)",
      kFilterHelp));
  OnRun(remove, run, [&globals, options] { return Delete(globals, *options); });
}

}  // namespace freqstore::cli
