#include "storage/jpeg/block_symbols.h"

#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "storage/jpeg/block_transpose.h"

namespace freqstore {
namespace {

constexpr size_t kTable = TableStart(1, 2);
const SymbolKernels& kReference = GetSymbolKernels(SimdLevel::kScalar);

SimdLevel AnyLevel() {
  return GENERATE(Catch::Generators::from_range(SupportedSimdLevels()));
}

std::vector<ListedSymbol> List(const SymbolKernels& kernels, const CoefficientBlock& block) {
  std::vector<ListedSymbol> symbols(kBlockSymbolsRoom);
  symbols.resize(static_cast<size_t>(kernels.list_ac(block.data(), kTable, symbols.data()) - symbols.data()));
  return symbols;
}

/// Symbols from a cursor on that has written some bits.
struct Written {
  std::vector<uint8_t> bytes;
  uint64_t bits = 0;  // those that are no whole byte
  int count = 0;
  ScanCode all_codes = 0;
  friend bool operator==(const Written&, const Written&) = default;
};

Written Put(const SymbolKernels& kernels, const std::vector<ListedSymbol>& symbols,
            const std::vector<ScanCode>& codes, int bits_before) {
  Written written;
  std::vector<uint8_t> buffer(kPutRoomBytes);
  BitCursor cursor;
  cursor.out = buffer.data();
  cursor.Put((uint64_t{1} << bits_before) - 1, bits_before);
  written.all_codes = kernels.put(symbols.data(), symbols.size(), codes.data(), cursor);
  cursor.StoreBytes();
  written.bytes.assign(buffer.data(), cursor.out);
  written.count = 64 - cursor.free;
  written.bits = cursor.bits & ((uint64_t{1} << written.count) - 1);
  return written;
}

}  // namespace

TEST_CASE("A block's symbols are those of the standard", "[symbols]") {
  const SymbolKernels& kernels = GetSymbolKernels(AnyLevel());
  const auto symbol = [](size_t run, size_t category, uint32_t bits) {
    return ListSymbol(kTable + SymbolPlace(run, category), bits);
  };
  CoefficientBlock block{};
  block[0] = 99;  // DC is not listed
  CHECK(List(kernels, block) == std::vector{symbol(0, 0, 0)});
  block[1] = -1;
  block[4] = 5;
  CHECK(List(kernels, block) == std::vector{symbol(0, 1, 0), symbol(2, 3, 5), symbol(0, 0, 0)});
  block[63] = -6;
  CHECK(List(kernels, block) == std::vector{symbol(0, 1, 0), symbol(2, 3, 5), symbol(15, 0, 0),
                                            symbol(15, 0, 0), symbol(15, 0, 0), symbol(10, 3, 1)});
}

TEST_CASE("Blocks are listed as by the reference", "[symbols]") {
  const SymbolKernels& kernels = GetSymbolKernels(AnyLevel());
  std::mt19937 random(1);
  constexpr int16_t kValues[] = {1, -1, 2, -3, 4, 127, -128, 1023, -1024, INT16_MAX, INT16_MIN};
  for (int round = 0; round < 20'000; ++round) {
    CoefficientBlock block;
    const size_t density = random() % 65;
    for (int16_t& value : block)
      value = random() % 64 < density ? kValues[random() % std::size(kValues)] : int16_t{0};
    REQUIRE(List(kernels, block) == List(kReference, block));
  }
}

TEST_CASE("Symbols are written as by the reference", "[symbols]") {
  const SymbolKernels& kernels = GetSymbolKernels(AnyLevel());
  const bool ones = GENERATE(false, true);  // as many bytes of 0xff as can be
  std::mt19937 random(2);
  std::vector<ScanCode> codes(kScanPlaces);
  for (size_t place = 0; place < kScanPlaces; ++place) {
    const auto length = static_cast<uint32_t>(1 + random() % 16);
    const uint32_t all = (uint32_t{1} << length) - 1;
    const uint32_t code = ones ? all : static_cast<uint32_t>(random()) & all;
    codes[place] = ToScanCode(code << 8 | length, place);
  }
  for (int round = 0; round < 2'000; ++round) {
    std::vector<ListedSymbol> symbols(round < 500 ? kPutSymbolsMax : random() % (kPutSymbolsMax + 1));
    const size_t category_max = random() % 16;
    for (ListedSymbol& symbol : symbols) {
      const size_t category = random() % (category_max + 1);
      const auto bits = static_cast<uint32_t>((ones ? ~0u : random()) & ((1u << category) - 1));
      symbol =
          ListSymbol(TableStart(random() % 2, random() % 4) + SymbolPlace(random() % 16, category), bits);
    }
    const int bits_before = static_cast<int>(random() % 64);
    REQUIRE(Put(kernels, symbols, codes, bits_before) == Put(kReference, symbols, codes, bits_before));
  }
}

TEST_CASE("A symbol without a code shows", "[symbols]") {
  const SymbolKernels& kernels = GetSymbolKernels(AnyLevel());
  std::vector<ScanCode> codes(kScanPlaces, ToScanCode(2, 0));
  const size_t missing = kTable + SymbolPlace(0, 31);
  codes[missing] = ToScanCode(kNoCode, missing);
  for (const size_t place : {size_t{0}, size_t{99}, kPutSymbolsMax - 1}) {
    std::vector<ListedSymbol> symbols(kPutSymbolsMax, ListSymbol(kTable, 0));
    CHECK((Put(kernels, symbols, codes, 0).all_codes & kNoScanCode) == 0);
    symbols[place] = ListSymbol(missing, 0xffff);
    CHECK((Put(kernels, symbols, codes, 0).all_codes & kNoScanCode) != 0);
  }
}

}  // namespace freqstore
