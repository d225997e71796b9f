// Attributes as people write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "client/cli/command.h"

namespace freqstore::cli {

/// "score" or "score:double".
struct AttributeKey {
  std::string name;
  v1::AttributeType type = v1::ATTRIBUTE_TYPE_UNSPECIFIED;  ///< unspecified where not given
};

/// What the help of commands says of keys and values.
extern const char* const kAttributeHelp;

/// Throws UsageError (INVALID_ATTRIBUTE_NAME, RESERVED_ATTRIBUTE_NAME, ATTRIBUTE_TYPE).
AttributeKey ParseAttributeKey(std::string_view text);

/// Whether text can name an attribute of a dataset's own.
bool IsAttributeName(std::string_view text);

/// "string", "integer", "double", "bool", "timestamp".
std::string TypeName(v1::AttributeType type);

/// A value of `type`, which is given. Throws UsageError (ATTRIBUTE_TYPE, ATTRIBUTE_TOO_LONG).
v1::AttributeValue ParseAttributeValue(std::string_view text, v1::AttributeType type);

/// Finds the type that values have in common.
class TypeInference {
 public:
  void Add(std::string_view text);
  /// A value that was marked as text, and so is neither a number nor true or false, whatever it looks like.
  void AddText(std::string_view text);
  v1::AttributeType type() const;

 private:
  bool has_any_ = false;
  bool are_integers_ = true;
  bool are_numbers_ = true;
  bool are_bools_ = true;
  bool are_times_ = true;
};

/// Strings and times as strings, infinities as well.
Json ToJson(const v1::AttributeValue& value);

}  // namespace freqstore::cli
