#include "storage/jpeg/block_symbols.h"

#include "storage/base/dct.h"
#include "storage/jpeg/value_coding.h"

namespace freqstore {
namespace {

ScanCode Put(const ListedSymbol* symbols, size_t count, const ScanCode* codes, BitCursor& cursor) {
  BitCursor local = cursor;
  ScanCode all_codes = 0;
  for (size_t i = 0; i < count; ++i) {
    const ScanCode code = codes[symbols[i] >> 16];
    all_codes |= code;
    local.Put(code >> 8 | (symbols[i] & 0xffff), static_cast<int>(code & 0xff));
  }
  cursor = local;
  return all_codes;
}

ListedSymbol* ListAc(const int16_t* block, size_t table, ListedSymbol* symbols) {
  int run = 0;
  for (int z = 1; z < kFrequencies; ++z) {
    if (block[z] == 0) {
      ++run;
      continue;
    }
    for (; run >= kZeroRun; run -= kZeroRun) *symbols++ = ListSymbol(table + kZeroRunPlace, 0);
    const CodedValue value = CodeNonzero(block[z]);
    *symbols++ = ListSymbol(
        table + SymbolPlace(static_cast<size_t>(run), static_cast<size_t>(value.category)), value.bits);
    run = 0;
  }
  if (run > 0) *symbols++ = ListSymbol(table + kEndOfBlockPlace, 0);
  return symbols;
}

constexpr SymbolKernels kReference = {ListAc, Put};
#if defined(__x86_64__)
constexpr SymbolKernels kAvx512 = {symbols_avx512::ListAc, symbols_avx512::Put};
#endif

}  // namespace

const SymbolKernels& GetSymbolKernels(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return kAvx512;
#endif
  (void)level;
  return kReference;
}

}  // namespace freqstore
