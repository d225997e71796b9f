// The images that a request names, by id or by filter.
#pragma once

#include <string>

#include <google/protobuf/repeated_ptr_field.h>

#include "absl/status/statusor.h"
#include "storage/attribute/predicate.h"
#include "storage/engine/dataset_snapshot.h"
#include "storage/engine/image_selection.h"
#include "storage/engine/row_selection.h"

namespace freqstore {

using RepeatedIds = google::protobuf::RepeatedPtrField<std::string>;

struct SelectedRows {
  RowSelection rows;
  std::string filter;  ///< as it was understood; empty if there is none
};

/// Rows to read: those of `image_ids`, or those for which `filter` holds, or all. INVALID_ARGUMENT
/// (IDS_AND_FILTER) if both are given, or as ParseFilter says.
absl::StatusOr<SelectedRows> BuildRows(const DatasetSnapshot& snapshot, const RepeatedIds& image_ids,
                                       const std::string& filter);

/// Images to change: one of the two has to be given (NO_SELECTION), at most 10000 ids (TOO_MANY_IMAGES).
absl::StatusOr<ImageSelection> BuildSelection(const AttributeSchema& schema, const RepeatedIds& image_ids,
                                              const std::string& filter);

}  // namespace freqstore
