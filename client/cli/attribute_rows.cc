#include "client/cli/attribute_rows.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "client/cli/utf8.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

constexpr const char* kReason = "ATTRIBUTE_FILE";

/// Takes lines off a text; they end with "\n" or "\r\n".
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  /// The next line that is not empty.
  std::optional<std::string_view> Next() {
    while (!text_.empty()) {
      const size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++number_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!line.empty()) return line;
    }
    return std::nullopt;
  }

  /// Of the last line, from 1.
  size_t number() const { return number_; }

 private:
  std::string_view text_;
  size_t number_ = 0;
};

std::vector<std::string_view> SplitAtTabs(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const size_t end = std::min(line.find('\t'), line.size());
    cells.push_back(line.substr(0, end));
    if (end == line.size()) return cells;
    line.remove_prefix(end + 1);
  }
}

/// Collects rows, and sees to it that no image and no column is given twice.
class Collector {
 public:
  AttributeRow& AddRow(std::string_view image_id, size_t line) {
    if (image_id.empty()) throw UsageError("the image's id is empty", kReason);
    if (!IsUtf8(image_id)) throw UsageError("the image's id is not UTF-8", kReason);
    const auto [first, is_new] = lines_.emplace(image_id, line);
    if (!is_new)
      throw UsageError(fmt::format("'{}' is in line {} already", image_id, first->second), kReason);
    rows_.rows.push_back({std::string(image_id), line, {}});
    return rows_.rows.back();
  }

  /// The column of a key that may come again. Once it has come with a type, that is the column's.
  uint32_t ColumnOf(const std::string& text) {
    const auto [known, is_new_text] = by_text_.try_emplace(text);
    if (!is_new_text) return known->second;
    AttributeKey key = ParseAttributeKey(text);
    const auto [named, is_new_name] = by_name_.try_emplace(key.name, rows_.columns.size());
    known->second = named->second;
    if (is_new_name) {
      rows_.columns.push_back(std::move(key));
      return known->second;
    }
    v1::AttributeType& type = rows_.columns[named->second].type;
    if (key.type != type && key.type != v1::ATTRIBUTE_TYPE_UNSPECIFIED) {
      if (type != v1::ATTRIBUTE_TYPE_UNSPECIFIED) {
        throw UsageError(fmt::format("attribute '{}' is given as {} and as {}", key.name, TypeName(type),
                                     TypeName(key.type)),
                         "ATTRIBUTE_TYPE");
      }
      type = key.type;
    }
    return known->second;
  }

  AttributeRows Take() { return std::move(rows_); }

 private:
  AttributeRows rows_;
  std::unordered_map<std::string, size_t> lines_;
  std::unordered_map<std::string, uint32_t> by_text_;
  std::unordered_map<std::string, uint32_t> by_name_;
};

void ReadHeader(std::string_view line, Collector& collector, std::vector<uint32_t>& columns) {
  const std::vector<std::string_view> titles = SplitAtTabs(line);
  if (titles.size() < 2) {
    throw UsageError(
        "the header has one column; it is to have the image's id and then attributes, with tabs between",
        kReason);
  }
  for (size_t i = 1; i < titles.size(); ++i) {
    const uint32_t column = collector.ColumnOf(std::string(titles[i]));
    if (std::ranges::find(columns, column) != columns.end())
      throw UsageError(fmt::format("column '{}' is there twice", titles[i]), kReason);
    columns.push_back(column);
  }
}

void ReadTsvLine(std::string_view line, size_t number, const std::vector<uint32_t>& columns,
                 Collector& collector) {
  const std::vector<std::string_view> cells = SplitAtTabs(line);
  if (cells.size() != columns.size() + 1) {
    throw UsageError(fmt::format("the line has {} cells, the header {}", cells.size(), columns.size() + 1),
                     kReason);
  }
  AttributeRow& row = collector.AddRow(cells[0], number);
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string_view cell = cells[i + 1];
    const auto kind = cell.empty() ? AttributeCell::Kind::kNone : AttributeCell::Kind::kPlain;
    row.cells.push_back({columns[i], kind, std::string(cell)});
  }
}

Json ParseObject(std::string_view line) {
  try {
    Json json = Json::parse(line);
    if (json.is_object()) return json;
  } catch (const Json::parse_error& error) {
    throw UsageError(fmt::format("the line is not JSON, see byte {}", error.byte), kReason);
  }
  throw UsageError("the line is not a JSON object", kReason);
}

AttributeCell ToCell(uint32_t column, const Json& value) {
  if (value.is_null()) return {column, AttributeCell::Kind::kNone, ""};
  if (value.is_string()) return {column, AttributeCell::Kind::kText, value.get<std::string>()};
  return {column, AttributeCell::Kind::kPlain, value.dump()};
}

void ReadJsonLine(std::string_view line, size_t number, Collector& collector) {
  const Json json = ParseObject(line);
  const auto image = json.find("image");
  if (image == json.end() || !image->is_string())
    throw UsageError("the object has no text \"image\", the image's id", kReason);
  AttributeRow& row = collector.AddRow(image->get<std::string>(), number);
  for (const auto& [key, value] : json.items()) {
    if (key == "image") continue;
    if (value.is_structured())
      throw UsageError(fmt::format("\"{}\" is an object or an array; an attribute is one value", key),
                       kReason);
    const uint32_t column = collector.ColumnOf(key);
    if (std::ranges::find(row.cells, column, &AttributeCell::column) != row.cells.end())
      throw UsageError(fmt::format("\"{}\" is there twice", key), kReason);
    row.cells.push_back(ToCell(column, value));
  }
}

}  // namespace

const char* const kAttributeFileHelp =
    R"(The file of attributes has a line an image. In TSV the first line is a header; the first column is the image's id, whatever
its title, the others are attributes, with `name` or `name:type` for a title; an empty cell is no value:
  image       label  score:double
  cats/1.jpg  cat    0.9
In JSON lines (FILE.jsonl) each is an object with the member "image"; its other members are attributes, null is no value:
  {"image": "cats/1.jpg", "label": "cat", "score:double": 0.9}
)";

void ThrowAt(const std::string& path, size_t line, const UsageError& error) {
  throw UsageError(fmt::format("{}:{}: {}", path, line, error.what()), error.reason());
}

AttributeRows ReadAttributeRows(const std::string& path) {
  const std::string text = ReadFile(path);
  const bool is_json = path.ends_with(".jsonl") || path.ends_with(".ndjson");
  Collector collector;
  Lines lines(text);
  std::vector<uint32_t> columns;
  bool has_header = is_json;
  while (const auto line = lines.Next()) {
    try {
      if (!std::exchange(has_header, true)) {
        ReadHeader(*line, collector, columns);
      } else if (is_json) {
        ReadJsonLine(*line, lines.number(), collector);
      } else {
        ReadTsvLine(*line, lines.number(), columns, collector);
      }
    } catch (const UsageError& error) {
      ThrowAt(path, lines.number(), error);
    }
  }
  AttributeRows rows = collector.Take();
  if (rows.rows.empty()) throw UsageError(path + " has no line about an image", kReason);
  return rows;
}

}  // namespace freqstore::cli
