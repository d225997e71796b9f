#include "storage/jpeg/huffman_table.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

/// libjpeg's jpeg_gen_optimal_table, step by step.
std::optional<HuffmanTable> PlainOptimalTable(const SymbolCounts& counts) {
  std::vector<uint64_t> frequency(counts.begin(), counts.end());
  if (std::count(frequency.begin(), frequency.end(), 0) == kHuffmanSymbols) return std::nullopt;
  frequency.push_back(1);
  std::vector<int> code_size(257, 0);
  std::vector<int> others(257, -1);
  const auto least = [&](int except) {
    int found = -1;
    for (int i = 0; i <= 256; ++i) {
      const auto index = static_cast<size_t>(i);
      if (i != except && frequency[index] != 0 &&
          (found < 0 || frequency[index] <= frequency[static_cast<size_t>(found)])) {
        found = i;
      }
    }
    return found;
  };
  while (true) {
    const int first = least(-1);
    const int second = least(first);
    if (second < 0) break;
    frequency[static_cast<size_t>(first)] += frequency[static_cast<size_t>(second)];
    frequency[static_cast<size_t>(second)] = 0;
    auto lengthen = [&](int i) {
      ++code_size[static_cast<size_t>(i)];
      for (; others[static_cast<size_t>(i)] >= 0; ++code_size[static_cast<size_t>(i)])
        i = others[static_cast<size_t>(i)];
      return i;
    };
    others[static_cast<size_t>(lengthen(first))] = second;
    lengthen(second);
  }
  std::vector<int> bits(33, 0);
  for (const int size : code_size) {
    if (size > 32) return std::nullopt;
    if (size > 0) ++bits[static_cast<size_t>(size)];
  }
  for (size_t i = 32; i > 16; --i) {
    while (bits[i] > 0) {
      size_t j = i - 2;
      while (bits[j] == 0) --j;
      bits[i] -= 2;
      ++bits[i - 1];
      bits[j + 1] += 2;
      --bits[j];
    }
  }
  size_t longest = 16;
  while (bits[longest] == 0) --longest;
  --bits[longest];
  HuffmanTable table;
  for (size_t i = 1; i <= 16; ++i) table.counts[i - 1] = static_cast<uint8_t>(bits[i]);
  size_t place = 0;
  for (int size = 1; size <= 32; ++size) {
    for (size_t symbol = 0; symbol < 256; ++symbol) {
      if (code_size[symbol] == size) table.symbols[place++] = static_cast<uint8_t>(symbol);
    }
  }
  return table;
}

}  // namespace

TEST_CASE("Optimal tables are those of libjpeg's algorithm", "[huffman]") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    SymbolCounts counts{};
    const unsigned symbols = 1 + random() % 256;
    for (unsigned i = 0; i < symbols; ++i) {
      // Flat, steep and very steep distributions, with many ties.
      const uint32_t count =
          round % 3 == 0 ? random() % 4 : uint32_t{1} << random() % (round % 3 == 1 ? 12 : 30);
      counts[random() % 256] = count;
    }
    CAPTURE(round);
    REQUIRE(OptimalHuffmanTable(counts) == PlainOptimalTable(counts));
  }
}

TEST_CASE("Codes that would be too long make no optimal table", "[huffman]") {
  SymbolCounts counts{};
  uint32_t previous = 1;
  uint32_t next = 1;
  for (size_t i = 0; i < 40; ++i) {
    counts[i] = next;
    if (next < 1u << 30) next += std::exchange(previous, next);
  }
  CHECK(OptimalHuffmanTable(counts) == PlainOptimalTable(counts));
  CHECK(OptimalHuffmanTable({}) == std::nullopt);
}

TEST_CASE("Codes are those of the standard's example", "[huffman]") {
  const auto codes = CodesOf(StandardHuffmanTable(StandardTable::kDcLuma));
  REQUIRE(codes);
  CHECK((*codes)[SymbolPlace(0, 0)] == (0b00 << 8 | 2));
  CHECK((*codes)[SymbolPlace(0, 1)] == (0b010 << 8 | 3));
  CHECK((*codes)[SymbolPlace(0, 11)] == (0b111111110 << 8 | 9));
  CHECK((*codes)[SymbolPlace(0, 12)] == kNoCode);
  CHECK((*codes)[SymbolPlace(0, 16)] == kNoCode);
  CHECK(StandardHuffmanTable(StandardTable::kAcLuma).size() == 162);
  CHECK(StandardHuffmanTable(StandardTable::kAcChroma).size() == 162);
}

TEST_CASE("Lengths that are no prefix code are refused", "[huffman]") {
  HuffmanTable table;
  table.counts = {2, 1};
  table.symbols = {1, 2, 3};
  CHECK_FALSE(CodesOf(table));
  table.counts = {2};
  CHECK(CodesOf(table));
}

TEST_CASE("Tables are read from bytes that suffice", "[huffman]") {
  std::vector<uint8_t> bytes(16, 0);
  bytes[1] = 2;
  bytes.insert(bytes.end(), {7, 8, 9});
  ByteReader reader(bytes);
  const auto table = ReadHuffmanTable(reader);
  REQUIRE(table);
  CHECK(table->size() == 2);
  CHECK(table->symbols[1] == 8);
  CHECK(reader.remaining() == 1);

  ByteReader short_reader(Bytes(bytes).first(17));
  CHECK_FALSE(ReadHuffmanTable(short_reader));
  std::vector<uint8_t> overfull(300, 200);
  ByteReader overfull_reader(overfull);
  CHECK_FALSE(ReadHuffmanTable(overfull_reader));
}

}  // namespace freqstore
