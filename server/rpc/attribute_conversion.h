// Attributes as messages, and back.
#pragma once

#include <string>

#include <google/protobuf/map.h>

#include "absl/status/statusor.h"
#include "freqstore/v1/attribute.pb.h"
#include "storage/attribute/attribute_schema.h"
#include "storage/attribute/attribute_value.h"
#include "storage/engine/attribute_update.h"

namespace freqstore {

v1::AttributeValue ToProto(const AttributeValue& value);
v1::AttributeDefinition ToProto(const AttributeDef& def);

/// INVALID_ARGUMENT (ATTRIBUTE_TYPE) if a time is out of range.
absl::StatusOr<NamedValues> FromProto(
    const google::protobuf::Map<std::string, v1::AttributeValue>& attributes);

}  // namespace freqstore
