// freqstore image list | get; set and delete are in files of their own

#include <fstream>
#include <memory>

#include "client/cli/command.h"
#include "client/cli/image_json.h"
#include "client/cli/query_options.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

/// Each attribute on a line of its own.
Json Readable(Json json) {
  const Json attributes = json["attributes"];
  json.erase("attributes");
  for (const auto& [name, value] : attributes.items()) json["attributes." + name] = value;
  return json;
}

int List(const Globals& globals, const std::string& dataset, const std::string& filter, uint64_t limit) {
  client::Client client(globals.server);
  RecordPrinter printer(globals.format,
                        {Field("IMAGE", "image"), Number("WIDTH", "width"), Number("HEIGHT", "height"),
                         Field("COLOR", "color"), Field("SAMPLING", "sampling"), Number("Q", "quality"),
                         Size("SIZE", "bytes"), Field("IN DELTA", "in_delta")});
  v1::ListImagesRequest request;
  request.set_parent(client::DatasetName(dataset));
  request.set_filter(filter);
  v1::ListImagesResponse response;
  uint64_t left = limit == 0 ? UINT64_MAX : limit;
  do {
    request.set_page_size(static_cast<int32_t>(std::min<uint64_t>(left, 1000)));
    grpc::ClientContext context;
    Check(client.images().ListImages(&context, request, &response), globals);
    for (const v1::Image& image : response.images()) printer.Print(ToJson(image));
    left -= static_cast<uint64_t>(response.images_size());
    request.set_page_token(response.next_page_token());
  } while (!response.next_page_token().empty() && left > 0);
  printer.End();
  return kExitDone;
}

int Get(const Globals& globals, const std::string& dataset, const std::string& image_id) {
  client::Client client(globals.server);
  v1::GetImageRequest request;
  request.set_name(client::ImageName(dataset, image_id));
  v1::Image image;
  grpc::ClientContext context;
  Check(client.images().GetImage(&context, request, &image), globals);
  PrintRecord(globals.format, globals.format == Format::kTable ? Readable(ToJson(image)) : ToJson(image));
  return kExitDone;
}

int GetOriginal(const Globals& globals, const std::string& dataset, const std::string& image_id,
                const std::string& path) {
  client::Client client(globals.server);
  v1::GetImageFileRequest request;
  request.set_name(client::ImageName(dataset, image_id));
  v1::GetImageFileResponse response;
  grpc::ClientContext context;
  Check(client.images().GetImageFile(&context, request, &response), globals);
  if (path == "-") {
    std::fwrite(response.file().data(), 1, response.file().size(), stdout);
    return kExitDone;
  }
  std::ofstream out(path, std::ios::binary);
  out.write(response.file().data(), static_cast<std::streamsize>(response.file().size()));
  out.close();
  if (!out) throw CommandError("CANNOT_WRITE", "cannot write " + path);
  return kExitDone;
}

}  // namespace

void AddImageCommands(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* image = app.add_subcommand("image", "List, look at, label and delete images");
  image->require_subcommand(1);
  auto dataset = std::make_shared<std::string>();
  auto image_id = std::make_shared<std::string>();
  auto original = std::make_shared<std::string>();
  auto filter = std::make_shared<std::string>();
  auto limit = std::make_shared<uint64_t>(0);

  CLI::App* list = image->add_subcommand("list", "List images by id; with a filter, in no particular order");
  list->add_option("DATASET", *dataset)->required();
  list->add_option("--filter", *filter, "Only images for which this holds, see below");
  list->add_option("--limit", *limit, "At most so many; 0 for all")->capture_default_str();
  list->footer(fmt::format(R"({}
Examples:
  freqstore image list photos --limit 20
  freqstore --format jsonl image list photos --filter 'label = dog AND NOT truncated = true' | jq -r .image)",
                           kFilterHelp));
  OnRun(list, run, [&globals, dataset, filter, limit] { return List(globals, *dataset, *filter, *limit); });

  CLI::App* get = image->add_subcommand("get", "Show one image's attributes, or get its file back");
  get->add_option("DATASET", *dataset)->required();
  get->add_option("IMAGE", *image_id)->required();
  get->add_option("--original", *original, "Write the file as it came here; - for stdout");
  get->footer(R"(Examples:
  freqstore image get photos cats/1.jpg
  freqstore image get photos cats/1.jpg --original - | djpeg | display)");
  OnRun(get, run, [&globals, dataset, image_id, original] {
    return original->empty() ? Get(globals, *dataset, *image_id)
                             : GetOriginal(globals, *dataset, *image_id, *original);
  });

  AddImageSetCommand(*image, globals, run);
  AddImageDeleteCommand(*image, globals, run);
}

}  // namespace freqstore::cli
