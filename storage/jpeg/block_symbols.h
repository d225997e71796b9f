// The blocks of a sequential scan as a list of symbols, and the list as bits. Private to storage/jpeg.
//
// What takes time in a coder is to find the values of a block that are not zero. Made into a list first, many
// blocks long, the symbols are then written without a branch that depends on where a block ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/base/cpu_features.h"
#include "storage/jpeg/bit_cursor.h"
#include "storage/jpeg/huffman_table.h"

namespace freqstore {

/// A symbol and the bits behind its code: place << 16 | bits. The place tells how many bits there are; more
/// than 16 are cut off, for such a symbol has no code.
using ListedSymbol = uint32_t;
constexpr ListedSymbol ListSymbol(size_t place, uint32_t bits) {
  return static_cast<ListedSymbol>(place) << 16 | (bits & 0xffff);
}

/// A block has at most 63 AC symbols; list_ac() may write as many places as this.
inline constexpr size_t kBlockSymbolsRoom = 80;

/// The longest list that put() takes, and the bytes that the cursor must have room for. A symbol has at most
/// 31 bits.
inline constexpr size_t kPutSymbolsMax = 240;
inline constexpr size_t kPutRoomBytes = 2 * (kPutSymbolsMax * 31 / 8 + 9) + 64;

/// The code of a place, with room for the bits behind it: code << category << 8 | length + category; or
/// kNoScanCode.
using ScanCode = uint64_t;
inline constexpr ScanCode kNoScanCode = uint64_t{1} << 63;
constexpr ScanCode ToScanCode(uint32_t code, size_t place) {
  const uint64_t category = place % SymbolPlace(1, 0);
  if (code == kNoCode) return kNoScanCode;
  return (uint64_t{code >> 8} << category << 8) + (code & 0xff) + category;
}

struct SymbolKernels {
  /// Appends the AC symbols of a block of kFrequencies values, zigzag, which are coded with the table that
  /// starts at `table`. Returns the end of the list.
  ListedSymbol* (*list_ac)(const int16_t* block, size_t table, ListedSymbol* symbols);

  /// Appends symbols with `codes`, of kScanPlaces, to `cursor`. Returns the codes or-ed together: kNoScanCode
  /// shows if a symbol had none, and then what was appended is of no use.
  ScanCode (*put)(const ListedSymbol* symbols, size_t count, const ScanCode* codes, BitCursor& cursor);
};

/// The kernels of a level that this machine supports; kScalar is the reference. They live for ever.
const SymbolKernels& GetSymbolKernels(SimdLevel level);

namespace symbols_avx512 {
ListedSymbol* ListAc(const int16_t* block, size_t table, ListedSymbol* symbols);
ScanCode Put(const ListedSymbol* symbols, size_t count, const ScanCode* codes, BitCursor& cursor);
}  // namespace symbols_avx512

}  // namespace freqstore
