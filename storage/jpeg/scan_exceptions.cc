#include "storage/jpeg/scan_exceptions.h"

#include <algorithm>

namespace freqstore {

bool ScanExceptions::none() const {
  return padding_bits == PaddingBits::kOnes && padding_blocks.empty() && run_breaks.empty() &&
         restarts.empty() && tail.empty();
}

bool operator==(const RestartException& a, const RestartException& b) {
  return a.ordinal == b.ordinal && std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end());
}

bool operator==(const ScanExceptions& a, const ScanExceptions& b) {
  return a.padding_bits == b.padding_bits && a.listed_bits == b.listed_bits &&
         a.padding_blocks == b.padding_blocks && a.run_breaks == b.run_breaks && a.restarts == b.restarts &&
         std::equal(a.tail.begin(), a.tail.end(), b.tail.begin(), b.tail.end());
}

void ListedDetails::FillPaddingBlock(size_t /*component*/, int /*coded_dc*/, CoefficientBlock& block) {
  const uint64_t ordinal = padding_blocks_asked_++;
  if (padding_blocks_used_ == exceptions_.padding_blocks.size()) return;
  const PaddingBlock& listed = exceptions_.padding_blocks[padding_blocks_used_];
  if (listed.ordinal != ordinal) return;
  ++padding_blocks_used_;
  for (const PaddingBlock::Value& value : listed.values) {
    const int predicted = value.zigzag == 0 ? block[0] : 0;
    block[value.zigzag] = static_cast<int16_t>(predicted + value.value);
  }
}

uint8_t ListedDetails::FillBits(int count) {
  const unsigned ones = (1u << count) - 1;
  if (exceptions_.padding_bits == PaddingBits::kOnes) return static_cast<uint8_t>(ones);
  if (exceptions_.padding_bits == PaddingBits::kZeros || bits_used_ == exceptions_.listed_bits.size())
    return 0;
  return static_cast<uint8_t>(exceptions_.listed_bits[bits_used_++] & ones);
}

uint32_t ListedDetails::RunBlocksMax(bool /*broken*/) {
  const uint64_t ordinal = runs_asked_++;
  if (runs_used_ == exceptions_.run_breaks.size()) return kRunBlocksMax;
  const RunBreak& listed = exceptions_.run_breaks[runs_used_];
  if (listed.ordinal != ordinal) return kRunBlocksMax;
  ++runs_used_;
  return std::clamp<uint32_t>(listed.blocks, 1, kRunBlocksMax);
}

Bytes ScanDetails::UsualRestart(uint64_t ordinal) {
  static constexpr uint8_t kMarkers[] = {0xff, 0xd0, 0xff, 0xd1, 0xff, 0xd2, 0xff, 0xd3,
                                         0xff, 0xd4, 0xff, 0xd5, 0xff, 0xd6, 0xff, 0xd7};
  return Bytes(kMarkers).subspan(ordinal % 8 * 2, 2);
}

Bytes ListedDetails::RestartBytes() {
  const uint64_t ordinal = restarts_asked_++;
  if (restarts_used_ == exceptions_.restarts.size()) return UsualRestart(ordinal);
  const RestartException& listed = exceptions_.restarts[restarts_used_];
  if (listed.ordinal != ordinal) return UsualRestart(ordinal);
  ++restarts_used_;
  return listed.bytes;
}

bool ListedDetails::complete() const {
  return padding_blocks_used_ == exceptions_.padding_blocks.size() &&
         bits_used_ == exceptions_.listed_bits.size() && runs_used_ == exceptions_.run_breaks.size() &&
         restarts_used_ == exceptions_.restarts.size();
}

}  // namespace freqstore
