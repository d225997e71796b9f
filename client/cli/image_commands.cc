// freqstore image list | get

#include <fstream>
#include <memory>

#include <google/protobuf/util/time_util.h>

#include "client/cli/command.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

using google::protobuf::util::TimeUtil;

std::string Hex(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

Json ToJson(const v1::Image& image) {
  Json json;
  json["image"] = image.image_id();
  json["width"] = image.width();
  json["height"] = image.height();
  json["color"] = image.color();
  json["sampling"] = image.sampling();
  json["orientation"] = image.orientation();
  json["quality"] = image.quality();
  json["progressive"] = image.progressive();
  json["truncated"] = image.truncated();
  json["warnings"] = image.warnings();
  json["bytes"] = image.file_bytes();
  json["sha256"] = Hex(image.sha256());
  json["imported"] = TimeUtil::ToString(image.import_time());
  json["in_delta"] = image.in_delta();
  return json;
}

int List(const Globals& globals, const std::string& dataset, uint64_t limit) {
  client::Client client(globals.server);
  RecordPrinter printer(globals.format,
                        {Field("IMAGE", "image"), Number("WIDTH", "width"), Number("HEIGHT", "height"),
                         Field("COLOR", "color"), Field("SAMPLING", "sampling"), Number("Q", "quality"),
                         Size("SIZE", "bytes"), Field("IN DELTA", "in_delta")});
  v1::ListImagesRequest request;
  request.set_parent(client::DatasetName(dataset));
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
  PrintRecord(globals.format, ToJson(image));
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
  CLI::App* image = app.add_subcommand("image", "List and look at images");
  image->require_subcommand(1);
  auto dataset = std::make_shared<std::string>();
  auto image_id = std::make_shared<std::string>();
  auto original = std::make_shared<std::string>();
  auto limit = std::make_shared<uint64_t>(0);

  CLI::App* list = image->add_subcommand("list", "List images by id");
  list->add_option("DATASET", *dataset)->required();
  list->add_option("--limit", *limit, "At most so many; 0 for all")->capture_default_str();
  OnRun(list, run, [&globals, dataset, limit] { return List(globals, *dataset, *limit); });

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
}

}  // namespace freqstore::cli
