// Huffman tables as DHT markers give them: the standard ones, and those that libjpeg makes from statistics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "storage/base/coding.h"

namespace freqstore {

inline constexpr int kHuffmanClasses = 2;  ///< DC and AC
inline constexpr int kHuffmanSlots = 4;    ///< tables of a class that a file may have at a time
inline constexpr int kHuffmanSymbols = 256;
inline constexpr int kHuffmanBitsMax = 16;

/// A table as it is stored: how many codes have each length, and their symbols in the order of the codes.
struct HuffmanTable {
  std::array<uint8_t, kHuffmanBitsMax> counts{};   ///< of the codes of 1..16 bits
  std::array<uint8_t, kHuffmanSymbols> symbols{};  ///< the first size(), the rest is zero

  size_t size() const;
  friend bool operator==(const HuffmanTable&, const HuffmanTable&) = default;
};

/// Reads `counts` and then `symbols` from the front of `reader`; nullopt if there are more than 256 symbols
/// or the bytes do not suffice.
std::optional<HuffmanTable> ReadHuffmanTable(ByteReader& reader);

/// ITU-T T.81, tables K.3 to K.6.
enum class StandardTable : uint8_t { kDcLuma = 0, kDcChroma = 1, kAcLuma = 2, kAcChroma = 3 };
const HuffmanTable& StandardHuffmanTable(StandardTable name);

/// How often a scan codes each symbol with one table.
using SymbolCounts = std::array<uint32_t, kHuffmanSymbols>;

/// The table that libjpeg's jpeg_gen_optimal_table makes from `counts`: shortest codes of at most 16 bits,
/// none of ones only, ties resolved as it does. nullopt if it makes none: no symbol occurs, or a code would
/// have more than 32 bits before lengths are limited.
std::optional<HuffmanTable> OptimalHuffmanTable(const SymbolCounts& counts);

/// Where a coder finds a symbol: those are a run of zeros, 0..15, and a category, 0..15, of a byte; here a
/// category may be up to 31, so that what is too large to be coded has a place of its own, without a code.
constexpr size_t SymbolPlace(size_t run, size_t category) {
  return run << 5 | category;
}
inline constexpr size_t kSymbolPlaces = 512;

/// Places of symbols in the tables of all classes and slots, one table behind the other.
inline constexpr size_t kScanPlaces = size_t{kHuffmanClasses} * kHuffmanSlots * kSymbolPlaces;
constexpr size_t TableStart(size_t huffman_class, size_t slot) {
  return (huffman_class * kHuffmanSlots + slot) * kSymbolPlaces;
}

/// Codes to write with, by SymbolPlace: code << 8 | length, or kNoCode.
using HuffmanCodes = std::array<uint32_t, kSymbolPlaces>;
inline constexpr uint32_t kNoCode = uint32_t{1} << 31;

/// nullopt if the lengths are not those of a prefix code.
std::optional<HuffmanCodes> CodesOf(const HuffmanTable& table);

}  // namespace freqstore
