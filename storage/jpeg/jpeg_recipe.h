// A file as a recipe: its markers with what of their bytes does not follow from geometry and coefficients.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "storage/base/coding.h"
#include "storage/jpeg/huffman_table.h"
#include "storage/jpeg/jpeg_markers.h"
#include "storage/jpeg/scan_exceptions.h"

namespace freqstore {

/// Where a Huffman table comes from. Values are stored (ENVELOPE.md): never renumber.
enum class TableSource : uint8_t {
  kDcLuma = 0,  ///< a standard table
  kDcChroma = 1,
  kAcLuma = 2,
  kAcChroma = 3,
  kOptimal = 4,  ///< OptimalHuffmanTable of the symbols of the next scan
  kListed = 5,
};

struct RecipeTable {
  uint8_t target = 0;  ///< the first byte of a table in DHT: class << 4 | slot
  TableSource source = TableSource::kListed;
  HuffmanTable
      table;  ///< but of an optimal one read from an envelope: that is known when its scan is counted

  bool is_ac() const { return (target >> 4 & 1) != 0; }
  size_t slot() const { return target & 3; }
};

struct RecipeSegment {
  uint8_t code = 0;
  bool has_length = false;
  Bytes gap;
  Bytes payload;                    ///< of all markers but DHT
  std::vector<RecipeTable> tables;  ///< the payload of DHT
  ScanExceptions exceptions;        ///< of SOS
};

/// JpegFile, with recipes for entropy-coded data. Views are into the file or the envelope, or into `storage`.
struct JpegRecipe {
  std::vector<RecipeSegment> segments;
  Bytes tail;
  std::deque<std::string> storage;
};

/// The same bytes come of both: tables are compared by source, and by content if listed.
bool operator==(const JpegRecipe& a, const JpegRecipe& b);

/// nullopt if `payload` is not exactly a sequence of tables of slots that there are.
std::optional<std::vector<RecipeTable>> ParseHuffmanTables(Bytes payload);

/// The payload of DHT with `tables`.
std::string HuffmanPayload(const std::vector<RecipeTable>& tables);

}  // namespace freqstore
