// freqstore image set DATASET [IMAGE...] NAME=VALUE...

#include <memory>

#include "client/cli/attribute_file.h"
#include "client/cli/command.h"
#include "client/cli/missing_images.h"
#include "client/cli/progress.h"
#include "client/cli/query_options.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

constexpr int kUpdatesPerRequest = 10000;
constexpr size_t kRequestBytes = size_t{8} << 20;

struct SetOptions {
  std::string dataset;
  std::vector<std::string> arguments;  ///< images and assignments
  Selection selection;
  std::string attributes;
};

struct Assignment {
  AttributeKey key;
  std::string value;
};

struct SetResult {
  uint64_t images = 0;
  std::vector<std::string> missing;
};

/// Puts what looks like NAME=VALUE or NAME:type=VALUE apart from images.
std::vector<Assignment> TakeAssignments(const std::vector<std::string>& arguments,
                                        std::vector<std::string>& images) {
  std::vector<Assignment> assignments;
  for (const std::string& argument : arguments) {
    const size_t equals = argument.find('=');
    const std::string key = argument.substr(0, equals);
    if (equals == std::string::npos || !IsAttributeName(key.substr(0, key.find(':')))) {
      images.push_back(argument);
    } else {
      assignments.push_back({ParseAttributeKey(key), argument.substr(equals + 1)});
    }
  }
  return assignments;
}

v1::AttributeValue ParseValue(const Assignment& assignment, const KnownAttributes& known) {
  if (assignment.value.empty()) return {};
  v1::AttributeType type = ResolveType(assignment.key, known);
  if (type == v1::ATTRIBUTE_TYPE_UNSPECIFIED) {
    TypeInference inference;
    inference.Add(assignment.value);
    type = inference.type();
  }
  try {
    return ParseAttributeValue(assignment.value, type);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("attribute '{}': {}", assignment.key.name, error.what()), error.reason());
  }
}

/// Sends updates, many a request.
class Updater {
 public:
  Updater(client::Client& client, const Globals& globals, const std::string& dataset, uint64_t total)
      : client_(client), globals_(globals), progress_("set", total, "updates") {
    request_.set_parent(client::DatasetName(dataset));
  }

  void Add(v1::AttributeUpdate update) {
    bytes_ += update.ByteSizeLong();
    *request_.add_updates() = std::move(update);
    if (request_.updates_size() >= kUpdatesPerRequest || bytes_ >= kRequestBytes) Send();
  }

  SetResult End() {
    Send();
    progress_.Clear();
    return std::move(result_);
  }

 private:
  void Send() {
    if (request_.updates_size() == 0) return;
    v1::UpdateAttributesResponse response;
    grpc::ClientContext context;
    const grpc::Status status = client_.images().UpdateAttributes(&context, request_, &response);
    if (!status.ok() && result_.images > 0) {
      progress_.Clear();
      fmt::print(stderr, "{} images were set before this error\n", result_.images);
    }
    Check(status, globals_);
    result_.images += response.images();
    result_.missing.insert(result_.missing.end(), response.missing().begin(), response.missing().end());
    progress_.Add(static_cast<uint64_t>(request_.updates_size()));
    request_.clear_updates();
    bytes_ = 0;
  }

  client::Client& client_;
  const Globals& globals_;
  Progress progress_;
  v1::UpdateAttributesRequest request_;
  size_t bytes_ = 0;
  SetResult result_;
};

SetResult SetFromFile(client::Client& client, const Globals& globals, const SetOptions& options,
                      const KnownAttributes& known) {
  const AttributeFile file(options.attributes, known);
  Updater updater(client, globals, options.dataset, file.rows().size());
  for (const AttributeRow& row : file.rows()) {
    v1::AttributeUpdate update;
    update.set_image_id(row.image_id);
    *update.mutable_attributes() = file.ChangesOf(row);
    updater.Add(std::move(update));
  }
  return updater.End();
}

SetResult SetSelected(client::Client& client, const Globals& globals, const SetOptions& options,
                      const Selection& selection, const v1::AttributeUpdate& changes) {
  Updater updater(client, globals, options.dataset, selection.images.size());
  for (const std::string& image : selection.images) {
    v1::AttributeUpdate update = changes;
    update.set_image_id(image);
    updater.Add(std::move(update));
  }
  if (!selection.filter.empty()) {
    v1::AttributeUpdate update = changes;
    update.set_filter(selection.filter);
    updater.Add(std::move(update));
  }
  return updater.End();
}

int Set(const Globals& globals, const SetOptions& options) {
  Selection selection = options.selection;
  const std::vector<Assignment> assignments = TakeAssignments(options.arguments, selection.images);
  const bool has_file = !options.attributes.empty();
  if (has_file && (!options.arguments.empty() || !options.selection.images.empty()))
    throw UsageError("--attributes says all: images and what they get; give nothing beside it");
  if (!has_file && assignments.empty())
    throw UsageError("nothing to set: give NAME=VALUE or --attributes FILE");
  if (!has_file && selection.images.empty() == selection.filter.empty())
    throw UsageError("say which images: by their ids or by --filter; --filter 'image_id:*' means all");

  client::Client client(globals.server);
  const KnownAttributes known = GetKnownAttributes(client, globals, options.dataset);
  v1::AttributeUpdate changes;
  for (const Assignment& assignment : assignments)
    (*changes.mutable_attributes())[assignment.key.name] = ParseValue(assignment, known);
  const SetResult result = has_file ? SetFromFile(client, globals, options, known)
                                    : SetSelected(client, globals, options, selection, changes);
  if (globals.format == Format::kTable) {
    fmt::print("set attributes of {} images; {} are not there\n", result.images, result.missing.size());
  } else {
    PrintRecord(globals.format, {{"images", result.images}, {"missing", result.missing}});
  }
  PrintMissing(globals, result.missing);
  return result.missing.empty() ? kExitDone : kExitFailed;
}

}  // namespace

void AddImageSetCommand(CLI::App& image, const Globals& globals, Run& run) {
  CLI::App* set = image.add_subcommand("set", "Give images attributes, or take them away");
  auto options = std::make_shared<SetOptions>();
  set->add_option("DATASET", options->dataset)->required();
  set->add_option("IMAGE|ASSIGNMENT", options->arguments,
                  "Images, by id, and what they get: NAME=VALUE, NAME:type=VALUE, or NAME= to take it away");
  AddSelectionOptions(*set, options->selection);
  CLI::Option* filter = set->get_option("--filter");
  set->add_option("--attributes", options->attributes,
                  "Set what this file says: FILE.tsv or FILE.jsonl, see below")
      ->excludes(filter);
  set->footer(fmt::format(
      R"(Attributes that are not named stay. The images of a request (10,000 of a file) are set in one step. An image whose id looks
like NAME=VALUE is named with --image. An empty cell of a file, or null, takes the attribute away.

{}{}
{}
Examples:
  freqstore image set photos cats/1.jpg label=cat score:double=0.9
  freqstore image set photos --filter 'label = cat AND width < 100' small=true
  freqstore image set photos --filter camera:* camera=
  freqstore image set photos --attributes labels.tsv)",
      kAttributeHelp, kAttributeFileHelp, kFilterHelp));
  OnRun(set, run, [&globals, options] { return Set(globals, *options); });
}

}  // namespace freqstore::cli
