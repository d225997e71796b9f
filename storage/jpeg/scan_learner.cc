#include "storage/jpeg/scan_learner.h"

#include <algorithm>

namespace freqstore {

EntropyReader::EntropyReader(Bytes entropy, uint64_t at, int bit)
    : entropy_(entropy), at_(static_cast<size_t>(std::min<uint64_t>(at, entropy.size()))), bit_(bit) {}

uint32_t EntropyReader::Bit() {
  if (at_ == entropy_.size()) return 0;
  const uint32_t value = entropy_[at_] >> (7 - bit_) & 1u;
  if (++bit_ < 8) return value;
  bit_ = 0;
  const bool stuffed = entropy_[at_] == 0xff && at_ + 1 < entropy_.size() && entropy_[at_ + 1] == 0;
  at_ += stuffed ? 2 : 1;
  return value;
}

uint32_t EntropyReader::Bits(int count) {
  uint32_t bits = 0;
  for (int i = 0; i < count; ++i) bits = bits << 1 | Bit();
  return bits;
}

uint8_t EntropyReader::Symbol(const HuffmanTable& table) {
  uint32_t code = 0;
  uint32_t first = 0;  // code of this length
  size_t symbols = 0;  // of shorter codes
  for (const uint8_t count : table.counts) {
    code = code << 1 | Bit();
    first <<= 1;
    if (code - first < count) return table.symbols[symbols + code - first];
    first += count;
    symbols += count;
  }
  return 0;
}

int EntropyReader::Value(int category) {
  if (category == 0) return 0;
  const int bits = static_cast<int>(Bits(category));
  return bits >> (category - 1) != 0 ? bits : bits - (1 << category) + 1;
}

EntropyReader LearningDetails::Reader() {
  const int bit = writer_.StoreWholeBytes();
  return {entropy_, writer_.position(), bit};
}

void LearningDetails::FillPaddingBlock(size_t component, int coded_dc, CoefficientBlock& block) {
  const uint64_t ordinal = padding_blocks_++;
  const CoefficientBlock actual = ReadPaddingBlock(plan_.components[component], coded_dc, block);
  PaddingBlock padding{.ordinal = ordinal, .values = {}};
  for (size_t z = 0; z < kFrequencies; ++z) {
    const int difference = actual[z] - block[z];
    if (difference != 0) padding.values.push_back({static_cast<uint8_t>(z), difference});
  }
  block = actual;
  if (!padding.values.empty()) learned_.padding_blocks.push_back(std::move(padding));
}

CoefficientBlock LearningDetails::ReadPaddingBlock(const ScanComponent& component, int coded_dc,
                                                   const CoefficientBlock& predicted) {
  EntropyReader reader = Reader();
  CoefficientBlock block = predicted;
  if (plan_.kind == ScanKind::kDcRefine) {
    const int bit = 1 << plan_.shift;
    if ((block[0] & bit) != (reader.Bits(1) != 0 ? bit : 0)) block[0] = static_cast<int16_t>(block[0] ^ bit);
    return block;
  }
  const int dc = coded_dc + reader.Value(std::min<int>(reader.Symbol(*tables_[0][component.dc_table]), 15));
  if (plan_.kind == ScanKind::kDcFirst) {
    if (dc != block[0] >> plan_.shift) block[0] = static_cast<int16_t>(dc * (1 << plan_.shift));
    return block;
  }
  block[0] = static_cast<int16_t>(dc);
  for (size_t z = 1; z < kFrequencies; ++z) {
    const uint8_t symbol = reader.Symbol(*tables_[1][component.ac_table]);
    if (symbol == 0) break;
    z += symbol >> 4;
    if (z < kFrequencies) block[z] = static_cast<int16_t>(reader.Value(symbol & 15));
  }
  return block;
}

uint8_t LearningDetails::FillBits(int count) {
  const uint32_t all = (1u << count) - 1;
  const uint64_t at = (Reader(), writer_.position());
  const uint32_t bits = at < entropy_.size() ? entropy_[static_cast<size_t>(at)] & all : all;
  ones_ = ones_ && bits == all;
  zeros_ = zeros_ && bits == 0;
  learned_.listed_bits.push_back(static_cast<uint8_t>(bits));
  return static_cast<uint8_t>(bits);
}

uint32_t LearningDetails::RunBlocksMax(bool broken) {
  if (broken) learned_.run_breaks.push_back({.ordinal = runs_ - 1, .blocks = last_run_blocks_});
  ++runs_;
  last_run_blocks_ = kRunBlocksMax;
  EntropyReader reader = Reader();
  const uint8_t symbol = reader.Symbol(*tables_[1][plan_.components[0].ac_table]);
  const int bits = symbol >> 4;
  if ((symbol & 15) == 0 && bits < 15) last_run_blocks_ = (1u << bits) + reader.Bits(bits);
  return last_run_blocks_;
}

Bytes LearningDetails::RestartBytes() {
  const uint64_t ordinal = restarts_++;
  const auto begin = static_cast<size_t>(std::min<uint64_t>(writer_.position(), entropy_.size()));
  size_t end = begin;
  while (end + 1 < entropy_.size() && !(entropy_[end] == 0xff && IsRestartMarker(entropy_[end + 1]))) ++end;
  const Bytes bytes = entropy_.subspan(begin, std::min(end + 2, entropy_.size()) - begin);
  if (AsString(bytes) != AsString(UsualRestart(ordinal))) learned_.restarts.push_back({ordinal, bytes});
  return bytes;
}

ScanExceptions LearningDetails::Take() {
  learned_.padding_bits = ones_ ? PaddingBits::kOnes : zeros_ ? PaddingBits::kZeros : PaddingBits::kListed;
  if (learned_.padding_bits != PaddingBits::kListed) learned_.listed_bits.clear();
  const uint64_t written = std::min<uint64_t>(writer_.position(), entropy_.size());
  learned_.tail = entropy_.subspan(static_cast<size_t>(written));
  return std::move(learned_);
}

}  // namespace freqstore
