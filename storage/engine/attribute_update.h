// Gives images other attributes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/attribute/attribute_value.h"
#include "storage/catalog/catalog.h"
#include "storage/engine/image_selection.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// By name. An absent value takes the attribute from the image.
using NamedValues = std::vector<std::pair<std::string, AttributeValue>>;

struct AttributeUpdate {
  ImageSelection images;
  NamedValues values;
};

struct AttributeUpdateResult {
  uint64_t images = 0;  ///< that an update was about; one that several were about counts each time
  std::vector<std::string> missing;  ///< ids that no image had
};

/// The numbers of the attributes and values of their types: integers become doubles where the attribute is of
/// these. Attributes that the dataset does not have yet are added. INVALID_ARGUMENT (ATTRIBUTE_TYPE,
/// ATTRIBUTE_TOO_LONG, INVALID_ATTRIBUTE_NAME, RESERVED_ATTRIBUTE_NAME), RESOURCE_EXHAUSTED
/// (TOO_MANY_ATTRIBUTES).
absl::StatusOr<std::vector<std::pair<uint32_t, AttributeValue>>> ResolveAttributes(Catalog& catalog,
                                                                                   uint32_t dataset_id,
                                                                                   const NamedValues& values);

/// Applies `updates`, in their order, in one atomic, durable step. Errors: those of ResolveAttributes; then
/// nothing is changed.
absl::StatusOr<AttributeUpdateResult> UpdateAttributes(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                                       const std::vector<AttributeUpdate>& updates);

}  // namespace freqstore
