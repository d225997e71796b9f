// What a file says of images, with the types that its dataset gives.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <google/protobuf/map.h>

#include "client/cli/attribute_rows.h"

namespace freqstore::cli {

/// The types of a dataset's own attributes, by name.
using KnownAttributes = std::unordered_map<std::string, v1::AttributeType>;

/// Those of a dataset. Throws CommandError.
KnownAttributes GetKnownAttributes(client::Client& client, const Globals& globals,
                                   const std::string& dataset);

/// The type of an attribute with this key: the key's own, else the dataset's, else unspecified. Integers may
/// be given for doubles. Throws UsageError (ATTRIBUTE_TYPE) where key and dataset disagree.
v1::AttributeType ResolveType(const AttributeKey& key, const KnownAttributes& known);

/// Checked as a whole when it is read.
class AttributeFile {
 public:
  using Attributes = google::protobuf::Map<std::string, v1::AttributeValue>;

  /// Throws UsageError that names file and line, and CommandError (CANNOT_READ).
  AttributeFile(const std::string& path, const KnownAttributes& known);

  const std::vector<AttributeRow>& rows() const { return rows_.rows; }
  /// Null if the file does not mention the image.
  const AttributeRow* Find(const std::string& image_id) const;

  /// The values that an image has.
  Attributes ValuesOf(const AttributeRow& row) const;
  /// The same, and an empty value for each that it is said not to have.
  Attributes ChangesOf(const AttributeRow& row) const;

 private:
  void InferTypes();
  void CheckValues(const std::string& path) const;

  AttributeRows rows_;
  std::unordered_map<std::string, size_t> by_id_;
};

}  // namespace freqstore::cli
