#include "storage/catalog/stored_attribute.h"

#include <utility>
#include <vector>

#include "storage/base/status.h"

namespace freqstore {

storage::v1::AttributeValue StoredValue(const AttributeValue& value) {
  storage::v1::AttributeValue stored;
  if (const auto* text = std::get_if<std::string>(&value)) stored.set_string(*text);
  if (const auto* integer = std::get_if<int64_t>(&value)) stored.set_integer(*integer);
  if (const auto* number = std::get_if<double>(&value)) stored.set_double_(*number);
  if (const auto* truth = std::get_if<bool>(&value)) stored.set_bool_(*truth);
  if (const auto* timestamp = std::get_if<Timestamp>(&value)) stored.set_timestamp(timestamp->micros);
  return stored;
}

AttributeValue ValueOfStored(const storage::v1::AttributeValue& stored) {
  switch (stored.kind_case()) {
    case storage::v1::AttributeValue::kString:
      return stored.string();
    case storage::v1::AttributeValue::kInteger:
      return stored.integer();
    case storage::v1::AttributeValue::kDouble:
      return stored.double_();
    case storage::v1::AttributeValue::kBool:
      return stored.bool_();
    case storage::v1::AttributeValue::kTimestamp:
      return Timestamp{stored.timestamp()};
    case storage::v1::AttributeValue::KIND_NOT_SET:
      break;
  }
  return {};
}

absl::StatusOr<AttributeSchema> SchemaOf(const storage::v1::DatasetMeta& dataset) {
  std::vector<AttributeDef> own;
  uint32_t id_min = kFirstOwnAttribute;
  for (const storage::v1::AttributeDef& stored : dataset.attributes()) {
    const bool is_known = stored.type() >= static_cast<uint32_t>(AttributeType::kString) &&
                          stored.type() <= static_cast<uint32_t>(AttributeType::kTimestamp);
    if (stored.id() < id_min || !is_known) {
      return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CATALOG",
                       "the attributes of a dataset are damaged");
    }
    id_min = stored.id() + 1;
    own.push_back({stored.id(), stored.name(), static_cast<AttributeType>(stored.type())});
  }
  return AttributeSchema(std::move(own));
}

void StoreSchema(const AttributeSchema& schema, storage::v1::DatasetMeta& dataset) {
  dataset.clear_attributes();
  for (const AttributeDef& def : schema.own()) {
    storage::v1::AttributeDef& stored = *dataset.add_attributes();
    stored.set_id(def.id);
    stored.set_name(def.name);
    stored.set_type(static_cast<uint32_t>(def.type));
  }
}

}  // namespace freqstore
