#include "server/rpc/selection_builder.h"

#include <utility>
#include <vector>

#include "fmt/format.h"
#include "server/plan/filter/filter.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr int kImageIdsMax = 10000;

absl::Status CheckOneOf(const RepeatedIds& image_ids, const std::string& filter) {
  if (image_ids.empty() || filter.empty()) return absl::OkStatus();
  return MakeError(absl::StatusCode::kInvalidArgument, "IDS_AND_FILTER",
                   "give image_ids or a filter, not both; a filter can name ids: image_id = \"...\"");
}

}  // namespace

absl::StatusOr<SelectedRows> BuildRows(const DatasetSnapshot& snapshot, const RepeatedIds& image_ids,
                                       const std::string& filter) {
  RETURN_IF_ERROR(CheckOneOf(image_ids, filter));
  ASSIGN_OR_RETURN(const Predicate predicate, ParseFilter(filter, snapshot.schema()));
  const std::vector<std::string> ids(image_ids.begin(), image_ids.end());
  return SelectedRows{SelectRows(snapshot, ids, predicate),
                      predicate.is_all() ? std::string() : FormatPredicate(predicate, snapshot.schema())};
}

absl::StatusOr<ImageSelection> BuildSelection(const AttributeSchema& schema, const RepeatedIds& image_ids,
                                              const std::string& filter) {
  RETURN_IF_ERROR(CheckOneOf(image_ids, filter));
  if (image_ids.size() > kImageIdsMax) {
    return MakeError(
        absl::StatusCode::kInvalidArgument, "TOO_MANY_IMAGES",
        fmt::format("{} images in one request; at most {} are taken", image_ids.size(), kImageIdsMax));
  }
  if (!image_ids.empty()) return std::vector<std::string>(image_ids.begin(), image_ids.end());
  ASSIGN_OR_RETURN(Predicate predicate, ParseFilter(filter, schema));
  if (predicate.is_all()) {
    return MakeError(absl::StatusCode::kInvalidArgument, "NO_SELECTION",
                     "say which images: by image_ids, or by a filter; image_id:* holds for all");
  }
  return ImageFilter{std::move(predicate), filter};
}

}  // namespace freqstore
