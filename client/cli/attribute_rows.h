// Reads files that say something of images: TSV and JSON lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client/cli/attribute_text.h"

namespace freqstore::cli {

struct AttributeCell {
  enum class Kind : uint8_t {
    kNone,   ///< the image is said to have no value
    kPlain,  ///< as people write it
    kText,   ///< marked as text
  };
  uint32_t column = 0;
  Kind kind = Kind::kPlain;
  std::string text;
};

struct AttributeRow {
  std::string image_id;
  size_t line = 0;                   ///< of the file, from 1
  std::vector<AttributeCell> cells;  ///< at most one a column
};

struct AttributeRows {
  std::vector<AttributeKey> columns;  ///< names are unique
  std::vector<AttributeRow> rows;     ///< image_ids are unique
};

/// What the help of commands says of these files.
extern const char* const kAttributeFileHelp;

/// JSON lines if `path` ends with .jsonl or .ndjson, else TSV. Throws UsageError that names file and line,
/// and CommandError (CANNOT_READ).
AttributeRows ReadAttributeRows(const std::string& path);

/// Throws `error` again, with the place before its message.
[[noreturn]] void ThrowAt(const std::string& path, size_t line, const UsageError& error);

}  // namespace freqstore::cli
