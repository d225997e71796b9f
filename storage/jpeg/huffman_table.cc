#include "storage/jpeg/huffman_table.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace freqstore {
namespace {

constexpr int kOptimalBitsMax = 32;  // MAX_CLEN of jpeg_gen_optimal_table

HuffmanTable MakeTable(std::initializer_list<uint8_t> counts, std::initializer_list<uint8_t> symbols) {
  HuffmanTable table;
  std::copy(counts.begin(), counts.end(), table.counts.begin());
  std::copy(symbols.begin(), symbols.end(), table.symbols.begin());
  return table;
}

std::array<HuffmanTable, 4> MakeStandardTables() {
  const auto dc_symbols = {uint8_t{0}, uint8_t{1}, uint8_t{2}, uint8_t{3}, uint8_t{4},  uint8_t{5},
                           uint8_t{6}, uint8_t{7}, uint8_t{8}, uint8_t{9}, uint8_t{10}, uint8_t{11}};
  return {MakeTable({0, 1, 5, 1, 1, 1, 1, 1, 1}, dc_symbols),
          MakeTable({0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, dc_symbols),
          MakeTable({0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125},
                    {0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
                     0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52,
                     0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25,
                     0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45,
                     0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64,
                     0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
                     0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
                     0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6,
                     0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3,
                     0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8,
                     0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa}),
          MakeTable({0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119},
                    {0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
                     0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33,
                     0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18,
                     0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44,
                     0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63,
                     0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
                     0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97,
                     0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4,
                     0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca,
                     0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7,
                     0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa})};
}

/// The depth of each symbol in the tree that libjpeg builds, and last that of its reserved 257th symbol.
std::array<int, kHuffmanSymbols + 1> TreeDepths(const SymbolCounts& counts) {
  // A tree is queued under (count, place): equal counts are taken highest place first, and the tree that two
  // are joined to has the place of the one that was taken first.
  struct Tree {
    uint64_t count;
    int place;
    int node;
    bool operator>(const Tree& other) const {
      return count != other.count ? count > other.count : place < other.place;
    }
  };
  std::vector<Tree> queue;
  std::vector<int> symbols;  // of the leaves, which are the first nodes
  const auto add = [&](int symbol, uint64_t count) {
    queue.push_back({count, symbol, static_cast<int>(symbols.size())});
    symbols.push_back(symbol);
  };
  for (int symbol = 0; symbol < kHuffmanSymbols; ++symbol) {
    if (counts[static_cast<size_t>(symbol)] > 0) add(symbol, counts[static_cast<size_t>(symbol)]);
  }
  add(kHuffmanSymbols, 1);

  std::vector<int> parents(2 * symbols.size(), -1);
  int nodes = static_cast<int>(symbols.size());
  std::make_heap(queue.begin(), queue.end(), std::greater<>());
  const auto take = [&] {
    std::pop_heap(queue.begin(), queue.end(), std::greater<>());
    const Tree least = queue.back();
    queue.pop_back();
    return least;
  };
  while (queue.size() > 1) {
    const Tree first = take();
    const Tree second = take();
    parents[static_cast<size_t>(first.node)] = nodes;
    parents[static_cast<size_t>(second.node)] = nodes;
    queue.push_back({first.count + second.count, first.place, nodes++});
    std::push_heap(queue.begin(), queue.end(), std::greater<>());
  }

  std::vector<int> depths(parents.size(), 0);
  for (int node = nodes - 2; node >= 0; --node) {
    const auto index = static_cast<size_t>(node);
    depths[index] = depths[static_cast<size_t>(parents[index])] + 1;
  }
  std::array<int, kHuffmanSymbols + 1> by_symbol{};
  for (size_t leaf = 0; leaf < symbols.size(); ++leaf)
    by_symbol[static_cast<size_t>(symbols[leaf])] = depths[leaf];
  return by_symbol;
}

/// Shortens codes of more than 16 bits as ITU-T T.81, figure K.3, does; `lengths[i]` codes have i bits.
void LimitLengths(std::array<int, kOptimalBitsMax + 1>& lengths) {
  for (size_t i = kOptimalBitsMax; i > kHuffmanBitsMax; --i) {
    while (lengths[i] > 0) {
      size_t j = i - 2;
      while (lengths[j] == 0) --j;
      lengths[i] -= 2;
      lengths[i - 1] += 1;
      lengths[j + 1] += 2;
      lengths[j] -= 1;
    }
  }
}

}  // namespace

size_t HuffmanTable::size() const {
  return std::accumulate(counts.begin(), counts.end(), size_t{0});
}

std::optional<HuffmanTable> ReadHuffmanTable(ByteReader& reader) {
  const std::optional<Bytes> counts = reader.ReadBytes(kHuffmanBitsMax);
  if (!counts) return std::nullopt;
  HuffmanTable table;
  std::copy(counts->begin(), counts->end(), table.counts.begin());
  if (table.size() > kHuffmanSymbols) return std::nullopt;
  const std::optional<Bytes> symbols = reader.ReadBytes(table.size());
  if (!symbols) return std::nullopt;
  std::copy(symbols->begin(), symbols->end(), table.symbols.begin());
  return table;
}

const HuffmanTable& StandardHuffmanTable(StandardTable name) {
  static const std::array<HuffmanTable, 4> kTables = MakeStandardTables();
  return kTables[static_cast<size_t>(name)];
}

std::optional<HuffmanTable> OptimalHuffmanTable(const SymbolCounts& counts) {
  if (std::all_of(counts.begin(), counts.end(), [](uint32_t count) { return count == 0; }))
    return std::nullopt;
  const std::array<int, kHuffmanSymbols + 1> depths = TreeDepths(counts);
  std::array<int, kOptimalBitsMax + 1> lengths{};
  for (const int depth : depths) {
    if (depth > kOptimalBitsMax) return std::nullopt;
    if (depth > 0) ++lengths[static_cast<size_t>(depth)];
  }
  LimitLengths(lengths);
  // The reserved symbol has the last of the longest codes: that of ones only.
  size_t longest = kHuffmanBitsMax;
  while (lengths[longest] == 0) --longest;
  --lengths[longest];

  HuffmanTable table;
  for (size_t i = 1; i <= kHuffmanBitsMax; ++i) table.counts[i - 1] = static_cast<uint8_t>(lengths[i]);
  // Symbols stand in the order of their unlimited lengths: limiting keeps that order.
  size_t size = 0;
  for (int length = 1; length <= kOptimalBitsMax; ++length) {
    for (size_t symbol = 0; symbol < kHuffmanSymbols; ++symbol) {
      if (depths[symbol] == length) table.symbols[size++] = static_cast<uint8_t>(symbol);
    }
  }
  return table;
}

std::optional<HuffmanCodes> CodesOf(const HuffmanTable& table) {
  HuffmanCodes codes;
  codes.fill(kNoCode);
  uint32_t code = 0;
  size_t next = 0;
  for (uint32_t length = 1; length <= kHuffmanBitsMax; ++length) {
    for (int i = 0; i < table.counts[length - 1]; ++i) {
      if (code >= uint32_t{1} << length) return std::nullopt;
      const uint8_t symbol = table.symbols[next++];
      uint32_t& entry = codes[SymbolPlace(symbol >> 4, symbol & 15)];
      if (entry == kNoCode) entry = code << 8 | length;
      ++code;
    }
    code <<= 1;
  }
  return codes;
}

}  // namespace freqstore
