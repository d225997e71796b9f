// Attribute values and schemas, as the catalog stores them.
#pragma once

#include "absl/status/statusor.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/attribute/attribute_schema.h"
#include "storage/attribute/attribute_value.h"

namespace freqstore {

/// Absent values have no kind.
storage::v1::AttributeValue StoredValue(const AttributeValue& value);
AttributeValue ValueOfStored(const storage::v1::AttributeValue& stored);

/// DATA_LOSS (CORRUPT_CATALOG) if a type is unknown, or the ids do not ascend.
absl::StatusOr<AttributeSchema> SchemaOf(const storage::v1::DatasetMeta& dataset);

/// Puts the own attributes of `schema` in place of those of `dataset`.
void StoreSchema(const AttributeSchema& schema, storage::v1::DatasetMeta& dataset);

}  // namespace freqstore
