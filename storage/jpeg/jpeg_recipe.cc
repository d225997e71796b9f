#include "storage/jpeg/jpeg_recipe.h"

#include <algorithm>

namespace freqstore {
namespace {

bool SameBytes(Bytes a, Bytes b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool SameTable(const RecipeTable& a, const RecipeTable& b) {
  return a.target == b.target && a.source == b.source &&
         (a.source != TableSource::kListed || a.table == b.table);
}

bool SameSegment(const RecipeSegment& a, const RecipeSegment& b) {
  return a.code == b.code && a.has_length == b.has_length && SameBytes(a.gap, b.gap) &&
         SameBytes(a.payload, b.payload) &&
         std::equal(a.tables.begin(), a.tables.end(), b.tables.begin(), b.tables.end(), SameTable) &&
         a.exceptions == b.exceptions;
}

}  // namespace

bool operator==(const JpegRecipe& a, const JpegRecipe& b) {
  return std::equal(a.segments.begin(), a.segments.end(), b.segments.begin(), b.segments.end(),
                    SameSegment) &&
         SameBytes(a.tail, b.tail);
}

std::optional<std::vector<RecipeTable>> ParseHuffmanTables(Bytes payload) {
  std::vector<RecipeTable> tables;
  ByteReader reader(payload);
  while (reader.remaining() > 0) {
    RecipeTable table;
    table.target = *reader.ReadLittleEndian<uint8_t>();
    if ((table.target >> 4) >= kHuffmanClasses || (table.target & 15) >= kHuffmanSlots) return std::nullopt;
    const std::optional<HuffmanTable> read = ReadHuffmanTable(reader);
    if (!read) return std::nullopt;
    table.table = *read;
    for (const StandardTable name : {StandardTable::kDcLuma, StandardTable::kDcChroma, StandardTable::kAcLuma,
                                     StandardTable::kAcChroma}) {
      if (table.table == StandardHuffmanTable(name)) table.source = static_cast<TableSource>(name);
    }
    tables.push_back(table);
  }
  return tables;
}

std::string HuffmanPayload(const std::vector<RecipeTable>& tables) {
  std::string payload;
  for (const RecipeTable& table : tables) {
    payload.push_back(static_cast<char>(table.target));
    payload += AsString(table.table.counts);
    payload += AsString(Bytes(table.table.symbols).first(table.table.size()));
  }
  return payload;
}

}  // namespace freqstore
