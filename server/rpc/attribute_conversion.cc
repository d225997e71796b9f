#include "server/rpc/attribute_conversion.h"

#include <google/protobuf/util/time_util.h>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

using google::protobuf::util::TimeUtil;

bool IsValid(const google::protobuf::Timestamp& timestamp) {
  return timestamp.seconds() >= TimeUtil::kTimestampMinSeconds &&
         timestamp.seconds() <= TimeUtil::kTimestampMaxSeconds && timestamp.nanos() >= 0 &&
         timestamp.nanos() < 1'000'000'000;
}

absl::StatusOr<AttributeValue> FromProto(const std::string& name, const v1::AttributeValue& value) {
  switch (value.kind_case()) {
    case v1::AttributeValue::kStringValue:
      return value.string_value();
    case v1::AttributeValue::kIntegerValue:
      return value.integer_value();
    case v1::AttributeValue::kDoubleValue:
      return value.double_value();
    case v1::AttributeValue::kBoolValue:
      return value.bool_value();
    case v1::AttributeValue::kTimestampValue:
      if (!IsValid(value.timestamp_value())) {
        return MakeError(absl::StatusCode::kInvalidArgument, "ATTRIBUTE_TYPE",
                         fmt::format("attribute '{}': the time is not of the years 1 to 9999", name));
      }
      return Timestamp{TimeUtil::TimestampToMicroseconds(value.timestamp_value())};
    case v1::AttributeValue::KIND_NOT_SET:
      break;
  }
  return AttributeValue();
}

}  // namespace

v1::AttributeValue ToProto(const AttributeValue& value) {
  v1::AttributeValue proto;
  if (const auto* text = std::get_if<std::string>(&value)) proto.set_string_value(*text);
  if (const auto* integer = std::get_if<int64_t>(&value)) proto.set_integer_value(*integer);
  if (const auto* number = std::get_if<double>(&value)) proto.set_double_value(*number);
  if (const auto* truth = std::get_if<bool>(&value)) proto.set_bool_value(*truth);
  if (const auto* timestamp = std::get_if<Timestamp>(&value))
    *proto.mutable_timestamp_value() = TimeUtil::MicrosecondsToTimestamp(timestamp->micros);
  return proto;
}

v1::AttributeDefinition ToProto(const AttributeDef& def) {
  v1::AttributeDefinition proto;
  proto.set_name(def.name);
  proto.set_type(static_cast<v1::AttributeType>(def.type));
  return proto;
}

absl::StatusOr<NamedValues> FromProto(
    const google::protobuf::Map<std::string, v1::AttributeValue>& attributes) {
  NamedValues values;
  for (const auto& [name, value] : attributes) {
    ASSIGN_OR_RETURN(AttributeValue converted, FromProto(name, value));
    values.emplace_back(name, std::move(converted));
  }
  return values;
}

}  // namespace freqstore
