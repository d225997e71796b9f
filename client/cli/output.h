// Records on stdout as a table, a JSON array or JSON lines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace freqstore::cli {

using Json = nlohmann::ordered_json;

enum class Format : uint8_t { kTable, kJson, kJsonl };

/// A column of the table form.
struct TableColumn {
  std::string title;
  std::function<std::string(const Json&)> text;
  bool right_aligned = false;
};

/// A column that shows a field as it is.
TableColumn Field(std::string title, std::string key);
/// The same for numbers: right-aligned.
TableColumn Number(std::string title, std::string key);
/// The same for sizes: "1.4 MB".
TableColumn Size(std::string title, std::string key);

/// Prints records as they come. A table's widths follow from its first rows. Not thread-safe.
class RecordPrinter {
 public:
  RecordPrinter(Format format, std::vector<TableColumn> columns);
  void Print(Json record);
  /// Prints what is still held back and closes the document.
  void End();

 private:
  void PrintRow(const std::vector<std::string>& cells) const;
  void FlushHeld();

  const Format format_;
  const std::vector<TableColumn> columns_;
  std::vector<std::vector<std::string>> held_;  // rows from which widths are taken
  std::vector<size_t> widths_;
  bool first_ = true;
};

/// Prints one record: its fields line by line in table form.
void PrintRecord(Format format, const Json& record);

/// "1.4 MB", in powers of 1000.
std::string HumanBytes(double bytes);

/// The first line of a value as plain text.
std::string PlainText(const Json& value);

}  // namespace freqstore::cli
