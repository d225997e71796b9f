#include "client/cli/output.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

constexpr size_t kRowsForWidths = 200;

/// Characters, not bytes, of UTF-8 text.
size_t DisplayWidth(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string FieldText(const Json& record, const std::string& key) {
  const auto found = record.find(key);
  return found == record.end() ? "" : PlainText(*found);
}

}  // namespace

std::string PlainText(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.dump();
}

TableColumn Field(std::string title, std::string key) {
  return {std::move(title), [key = std::move(key)](const Json& record) { return FieldText(record, key); },
          false};
}

TableColumn Number(std::string title, std::string key) {
  TableColumn column = Field(std::move(title), std::move(key));
  column.right_aligned = true;
  return column;
}

TableColumn Size(std::string title, std::string key) {
  return {std::move(title),
          [key = std::move(key)](const Json& record) { return HumanBytes(record.value(key, 0.0)); }, true};
}

RecordPrinter::RecordPrinter(Format format, std::vector<TableColumn> columns)
    : format_(format), columns_(std::move(columns)) {}

void RecordPrinter::Print(Json record) {
  switch (format_) {
    case Format::kJsonl:
      fmt::print("{}\n", record.dump());
      return;
    case Format::kJson:
      fmt::print("{}{}", first_ ? "[\n" : ",\n", record.dump());
      first_ = false;
      return;
    case Format::kTable:
      break;
  }
  std::vector<std::string> cells;
  for (const TableColumn& column : columns_) cells.push_back(column.text(record));
  if (!widths_.empty()) {
    PrintRow(cells);
    return;
  }
  held_.push_back(std::move(cells));
  if (held_.size() == kRowsForWidths) FlushHeld();
}

void RecordPrinter::FlushHeld() {
  std::vector<std::string> titles;
  for (const TableColumn& column : columns_) titles.push_back(column.title);
  held_.insert(held_.begin(), std::move(titles));
  widths_.assign(columns_.size(), 0);
  for (const auto& row : held_) {
    for (size_t c = 0; c < row.size(); ++c) widths_[c] = std::max(widths_[c], DisplayWidth(row[c]));
  }
  for (const auto& row : held_) PrintRow(row);
  held_.clear();
}

void RecordPrinter::PrintRow(const std::vector<std::string>& cells) const {
  std::string line;
  for (size_t c = 0; c < cells.size(); ++c) {
    const size_t width = DisplayWidth(cells[c]);
    const std::string padding(widths_[c] > width ? widths_[c] - width : 0, ' ');
    if (c > 0) line += "  ";
    const bool is_last = c + 1 == cells.size();
    line += columns_[c].right_aligned ? padding + cells[c] : cells[c] + (is_last ? "" : padding);
  }
  fmt::print("{}\n", line);
}

void RecordPrinter::End() {
  if (format_ == Format::kJson) fmt::print("{}\n", first_ ? "[]" : "\n]");
  if (format_ == Format::kTable && widths_.empty()) FlushHeld();
  std::fflush(stdout);
}

void PrintRecord(Format format, const Json& record) {
  if (format == Format::kJsonl) {
    fmt::print("{}\n", record.dump());
    return;
  }
  if (format == Format::kJson) {
    fmt::print("{}\n", record.dump(2));
    return;
  }
  size_t width = 0;
  for (const auto& [key, value] : record.items()) width = std::max(width, key.size());
  for (const auto& [key, value] : record.items()) fmt::print("{:<{}}  {}\n", key, width, PlainText(value));
}

std::string HumanBytes(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

}  // namespace freqstore::cli
