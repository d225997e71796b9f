// Which images an operation is about, and where they are.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/attribute/predicate.h"
#include "storage/base/row_set.h"
#include "storage/catalog/dataset_view.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// By image_id, or all for which a condition holds.
struct ImageFilter {
  Predicate predicate;
  std::string text;  ///< of the condition, for people
};
using ImageSelection = std::variant<std::vector<std::string>, ImageFilter>;

struct SelectedImages {
  std::map<uint64_t, RowSet> segments;  ///< rows by segment; none is empty
  std::vector<uint64_t> delta_rows;
  std::vector<std::string> missing;  ///< ids that no image has

  uint64_t count() const;
};

/// An image's place: a row of a segment, or (segment_id 0) of the delta.
struct ImageLocation {
  uint64_t segment_id = 0;
  uint32_t ordinal = 0;
  uint64_t row = 0;
};

/// NOT_FOUND (IMAGE_NOT_FOUND); DATA_LOSS (CORRUPT_ROW).
absl::StatusOr<ImageLocation> LocateImage(KvStore& kv, const DatasetView& view, std::string_view image_id);

absl::StatusOr<SelectedImages> SelectImages(KvStore& kv, const DatasetView& view,
                                            const ImageSelection& selection);

}  // namespace freqstore
