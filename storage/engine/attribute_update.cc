#include "storage/engine/attribute_update.h"

#include <cmath>
#include <map>
#include <optional>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/engine/attribute_store.h"
#include "storage/engine/delta.h"

namespace freqstore {
namespace {

using ResolvedValues = std::vector<std::pair<uint32_t, AttributeValue>>;

absl::Status CheckValue(std::string_view name, const AttributeValue& value) {
  if (const auto* text = std::get_if<std::string>(&value);
      text != nullptr && text->size() > kAttributeBytesMax) {
    return MakeError(absl::StatusCode::kInvalidArgument, "ATTRIBUTE_TOO_LONG",
                     fmt::format("attribute '{}': {} bytes; a string has at most {}", name, text->size(),
                                 kAttributeBytesMax));
  }
  if (const auto* number = std::get_if<double>(&value); number != nullptr && std::isnan(*number)) {
    return MakeError(absl::StatusCode::kInvalidArgument, "ATTRIBUTE_TYPE",
                     fmt::format("attribute '{}': NaN is not a value; leave the attribute out", name));
  }
  return absl::OkStatus();
}

absl::StatusOr<AttributeValue> ToType(const AttributeDef& def, AttributeValue value) {
  if (TypeOf(value) == def.type) return value;
  if (def.type == AttributeType::kDouble && std::holds_alternative<int64_t>(value))
    return static_cast<double>(std::get<int64_t>(value));
  return MakeError(absl::StatusCode::kInvalidArgument, "ATTRIBUTE_TYPE",
                   fmt::format("attribute '{}' is a {}; {} is a {}", def.name, TypeName(def.type),
                               FormatValue(value), TypeName(TypeOf(value))));
}

/// Collects the changes of a transaction: each column, and each row of the delta, is read and written once.
class Editor {
 public:
  Editor(KvStore& kv, DatasetTransaction& transaction) : kv_(kv), transaction_(transaction) {}

  absl::Status Set(const SelectedImages& images, const ResolvedValues& values) {
    for (const auto& [segment_id, rows] : images.segments) {
      for (const auto& [attribute, value] : values) {
        ASSIGN_OR_RETURN(std::vector<AttributeValue>* const column, Column(segment_id, attribute));
        rows.ForEach([&, &set = value](size_t ordinal) { (*column)[ordinal] = set; });
      }
    }
    for (const uint64_t row : images.delta_rows) RETURN_IF_ERROR(SetInDelta(row, values));
    return absl::OkStatus();
  }

  absl::Status Finish() {
    const uint32_t dataset_id = transaction_.dataset_id();
    for (const auto& [segment_id, columns] : columns_) {
      SegmentState state = *transaction_.view().FindSegment(segment_id)->state;
      for (const auto& [attribute, values] : columns) {
        const AttributeType type = transaction_.view().schema->Find(attribute)->type;
        PutAttributeColumn(dataset_id, segment_id, attribute, AttributeColumn(type, values),
                           transaction_.batch(), state);
      }
      transaction_.UpdateState(segment_id, std::move(state));
    }
    for (const auto& [row, attributes] : delta_) {
      RETURN_IF_ERROR(PutDeltaAttributes(kv_, dataset_id, row, attributes, transaction_.view().snapshot.get(),
                                         transaction_.batch()));
    }
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<std::vector<AttributeValue>*> Column(uint64_t segment_id, uint32_t attribute) {
    auto& columns = columns_[segment_id];
    if (const auto found = columns.find(attribute); found != columns.end()) return &found->second;
    const DatasetView& view = transaction_.view();
    const uint32_t images = view.FindSegment(segment_id)->meta->images();
    ASSIGN_OR_RETURN(const AttributeColumnPtr stored,
                     ReadAttributeColumn(kv_, transaction_.dataset_id(), segment_id, attribute, images,
                                         view.snapshot.get()));
    std::vector<AttributeValue> values(images);
    for (size_t ordinal = 0; stored != nullptr && ordinal < images; ++ordinal)
      values[ordinal] = stored->value(ordinal);
    return &(columns[attribute] = std::move(values));
  }

  absl::Status SetInDelta(uint64_t row, const ResolvedValues& values) {
    auto found = delta_.find(row);
    if (found == delta_.end()) {
      ASSIGN_OR_RETURN(auto entry,
                       FindDelta(kv_, transaction_.dataset_id(), row, transaction_.view().snapshot.get()));
      found = delta_.emplace(row, entry ? std::move(entry->attributes) : OwnAttributes()).first;
    }
    for (const auto& [attribute, value] : values) {
      if (IsPresent(value)) {
        found->second[attribute] = value;
      } else {
        found->second.erase(attribute);
      }
    }
    return absl::OkStatus();
  }

  KvStore& kv_;
  DatasetTransaction& transaction_;
  std::map<uint64_t, std::map<uint32_t, std::vector<AttributeValue>>> columns_;
  std::map<uint64_t, OwnAttributes> delta_;
};

}  // namespace

absl::StatusOr<ResolvedValues> ResolveAttributes(Catalog& catalog, uint32_t dataset_id,
                                                 const NamedValues& values) {
  ResolvedValues resolved;
  if (values.empty()) return resolved;
  ASSIGN_OR_RETURN(auto schema, catalog.Schema(dataset_id));
  for (const auto& [name, value] : values) {
    RETURN_IF_ERROR(CheckValue(name, value));
    const AttributeDef* def = schema->Find(name);
    if (def == nullptr && !IsPresent(value)) continue;  // nothing to take away
    if (def == nullptr || IsSystemAttribute(def->id)) {
      const AttributeType type = IsPresent(value) ? TypeOf(value) : AttributeType::kString;
      ASSIGN_OR_RETURN(schema, catalog.EnsureAttribute(dataset_id, name, type));
      def = schema->Find(name);
    }
    AttributeValue typed;
    if (IsPresent(value)) {
      ASSIGN_OR_RETURN(typed, ToType(*def, value));
    }
    resolved.emplace_back(def->id, std::move(typed));
  }
  return resolved;
}

absl::StatusOr<AttributeUpdateResult> UpdateAttributes(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                                                       const std::vector<AttributeUpdate>& updates) {
  std::vector<ResolvedValues> resolved;
  for (const AttributeUpdate& update : updates) {
    ASSIGN_OR_RETURN(ResolvedValues values, ResolveAttributes(catalog, dataset_id, update.values));
    resolved.push_back(std::move(values));
  }
  AttributeUpdateResult result;
  const absl::Status status =
      catalog.Transact(dataset_id, [&](DatasetTransaction& transaction) -> absl::Status {
        Editor editor(kv, transaction);
        for (size_t i = 0; i < updates.size(); ++i) {
          ASSIGN_OR_RETURN(const SelectedImages images,
                           SelectImages(kv, transaction.view(), updates[i].images));
          result.images += images.count();
          result.missing.insert(result.missing.end(), images.missing.begin(), images.missing.end());
          RETURN_IF_ERROR(editor.Set(images, resolved[i]));
        }
        return editor.Finish();
      });
  RETURN_IF_ERROR(status);
  return result;
}

}  // namespace freqstore
