#include "client/cli/attribute_file.h"

#include <utility>

#include "fmt/format.h"

namespace freqstore::cli {

using Kind = AttributeCell::Kind;

KnownAttributes GetKnownAttributes(client::Client& client, const Globals& globals,
                                   const std::string& dataset) {
  v1::GetDatasetRequest request;
  request.set_name(client::DatasetName(dataset));
  v1::Dataset response;
  grpc::ClientContext context;
  Check(client.datasets().GetDataset(&context, request, &response), globals);
  KnownAttributes known;
  for (const v1::AttributeDefinition& attribute : response.attributes())
    known.emplace(attribute.name(), attribute.type());
  return known;
}

v1::AttributeType ResolveType(const AttributeKey& key, const KnownAttributes& known) {
  const auto found = known.find(key.name);
  if (found == known.end()) return key.type;
  const v1::AttributeType type = found->second;
  const bool agrees = key.type == v1::ATTRIBUTE_TYPE_UNSPECIFIED || key.type == type ||
                      (key.type == v1::ATTRIBUTE_TYPE_INTEGER && type == v1::ATTRIBUTE_TYPE_DOUBLE);
  if (!agrees) {
    throw UsageError(fmt::format("attribute '{}' is given as {}; in the dataset it is {}", key.name,
                                 TypeName(key.type), TypeName(type)),
                     "ATTRIBUTE_TYPE");
  }
  return type;
}

AttributeFile::AttributeFile(const std::string& path, const KnownAttributes& known)
    : rows_(ReadAttributeRows(path)) {
  try {
    for (AttributeKey& column : rows_.columns) column.type = ResolveType(column, known);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()), error.reason());
  }
  InferTypes();
  CheckValues(path);
  for (size_t i = 0; i < rows_.rows.size(); ++i) by_id_.emplace(rows_.rows[i].image_id, i);
}

void AttributeFile::InferTypes() {
  std::vector<TypeInference> inferences(rows_.columns.size());
  for (const AttributeRow& row : rows_.rows) {
    for (const AttributeCell& cell : row.cells) {
      if (rows_.columns[cell.column].type != v1::ATTRIBUTE_TYPE_UNSPECIFIED) continue;
      if (cell.kind == Kind::kPlain) inferences[cell.column].Add(cell.text);
      if (cell.kind == Kind::kText) inferences[cell.column].AddText(cell.text);
    }
  }
  for (size_t i = 0; i < inferences.size(); ++i) {
    v1::AttributeType& type = rows_.columns[i].type;
    if (type == v1::ATTRIBUTE_TYPE_UNSPECIFIED) type = inferences[i].type();
  }
}

void AttributeFile::CheckValues(const std::string& path) const {
  for (const AttributeRow& row : rows_.rows) {
    for (const AttributeCell& cell : row.cells) {
      if (cell.kind == Kind::kNone) continue;
      const AttributeKey& column = rows_.columns[cell.column];
      try {
        (void)ParseAttributeValue(cell.text, column.type);
      } catch (const UsageError& error) {
        ThrowAt(path, row.line,
                UsageError(fmt::format("attribute '{}': {}", column.name, error.what()), error.reason()));
      }
    }
  }
}

const AttributeRow* AttributeFile::Find(const std::string& image_id) const {
  const auto found = by_id_.find(image_id);
  return found == by_id_.end() ? nullptr : &rows_.rows[found->second];
}

AttributeFile::Attributes AttributeFile::ValuesOf(const AttributeRow& row) const {
  Attributes values;
  for (const AttributeCell& cell : row.cells) {
    if (cell.kind == Kind::kNone) continue;
    const AttributeKey& column = rows_.columns[cell.column];
    values[column.name] = ParseAttributeValue(cell.text, column.type);
  }
  return values;
}

AttributeFile::Attributes AttributeFile::ChangesOf(const AttributeRow& row) const {
  Attributes changes = ValuesOf(row);
  for (const AttributeCell& cell : row.cells) {
    if (cell.kind == Kind::kNone) changes[rows_.columns[cell.column].name].Clear();
  }
  return changes;
}

}  // namespace freqstore::cli
