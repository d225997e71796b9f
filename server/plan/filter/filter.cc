#include "server/plan/filter/filter.h"

#include "fmt/format.h"
#include "server/plan/filter/filter_binder.h"
#include "server/plan/filter/filter_parser.h"
#include "storage/base/status.h"

namespace freqstore {

absl::StatusOr<Predicate> ParseFilter(std::string_view filter, const AttributeSchema& schema) {
  if (filter.size() > kFilterBytesMax) {
    return MakeError(absl::StatusCode::kInvalidArgument, "FILTER_TOO_LONG",
                     fmt::format("the filter has {} bytes; {} is the limit", filter.size(), kFilterBytesMax));
  }
  if (filter.find_first_not_of(" \t\n\r") == std::string_view::npos) return Predicate::All();
  ASSIGN_OR_RETURN(const FilterNode tree, ParseFilterTree(filter));
  return BindFilter(tree, filter, schema);
}

}  // namespace freqstore
