#include "server/rpc/resource_name.h"

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr std::string_view kDatasets = "datasets/";
constexpr std::string_view kImages = "/images/";
constexpr std::string_view kModels = "models/";

absl::Status InvalidName(std::string_view name, std::string_view expected) {
  return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_NAME",
                   fmt::format("'{}' is not a name of the form {}", name, expected));
}

}  // namespace

std::string DatasetName(std::string_view dataset) {
  return fmt::format("{}{}", kDatasets, dataset);
}
std::string ImageName(std::string_view dataset, std::string_view image_id) {
  return fmt::format("{}{}{}{}", kDatasets, dataset, kImages, image_id);
}
std::string ModelName(std::string_view model) {
  return fmt::format("{}{}", kModels, model);
}

absl::StatusOr<std::string> ParseDatasetName(std::string_view name) {
  const bool valid = name.starts_with(kDatasets) && name.size() > kDatasets.size() &&
                     name.find('/', kDatasets.size()) == std::string_view::npos;
  if (!valid) return InvalidName(name, "datasets/{dataset}");
  return std::string(name.substr(kDatasets.size()));
}

absl::StatusOr<std::string> ParseModelName(std::string_view name) {
  const bool valid = name.starts_with(kModels) && name.size() > kModels.size() &&
                     name.find('/', kModels.size()) == std::string_view::npos;
  if (!valid) return InvalidName(name, "models/{model}");
  return std::string(name.substr(kModels.size()));
}

absl::StatusOr<ImageNameParts> ParseImageName(std::string_view name) {
  const size_t images = name.find(kImages);
  if (images == std::string_view::npos || images + kImages.size() == name.size()) {
    return InvalidName(name, "datasets/{dataset}/images/{image}");
  }
  ImageNameParts parts;
  ASSIGN_OR_RETURN(parts.dataset, ParseDatasetName(name.substr(0, images)));
  parts.image_id = name.substr(images + kImages.size());
  return parts;
}

}  // namespace freqstore
