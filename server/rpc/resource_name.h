// `datasets/{dataset}`, `datasets/{dataset}/images/{image}`, `models/{model}`.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace freqstore {

std::string DatasetName(std::string_view dataset);
std::string ImageName(std::string_view dataset, std::string_view image_id);
std::string ModelName(std::string_view model);

/// The last part of a name. INVALID_ARGUMENT (INVALID_NAME) for anything else.
absl::StatusOr<std::string> ParseDatasetName(std::string_view name);
absl::StatusOr<std::string> ParseModelName(std::string_view name);

struct ImageNameParts {
  std::string dataset;
  std::string image_id;
};
absl::StatusOr<ImageNameParts> ParseImageName(std::string_view name);

}  // namespace freqstore
