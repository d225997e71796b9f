// What of a scan's bytes does not follow from its coefficients, and where a coder asks for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/dct.h"
#include "storage/jpeg/block_transpose.h"
#include "storage/jpeg/scan_plan.h"

namespace freqstore {

/// A block that only fills an MCU and is not the one that libjpeg writes there: all AC values zero, DC that
/// of the component's block before.
struct PaddingBlock {
  struct Value {
    uint8_t zigzag = 0;
    int32_t value = 0;  ///< of DC: its difference from the block before
    friend bool operator==(const Value&, const Value&) = default;
  };
  uint64_t ordinal = 0;       ///< among the scan's padding blocks
  std::vector<Value> values;  ///< those that are not zero, ascending by zigzag
  friend bool operator==(const PaddingBlock&, const PaddingBlock&) = default;
};

/// An end-of-band run that ends although the next block goes on with it.
struct RunBreak {
  uint64_t ordinal = 0;  ///< among the scan's runs
  uint32_t blocks = 0;
  friend bool operator==(const RunBreak&, const RunBreak&) = default;
};

/// Bytes that stand between two intervals instead of the restart marker whose turn it is: with something
/// before it, or of another number, or none.
struct RestartException {
  uint64_t ordinal = 0;  ///< among the scan's restarts
  Bytes bytes;
};

enum class PaddingBits : uint8_t { kOnes = 0, kZeros = 1, kListed = 2 };

struct ScanExceptions {
  PaddingBits padding_bits = PaddingBits::kOnes;
  std::vector<uint8_t> listed_bits;  ///< the bits that fill the last byte of each interval, if listed
  std::vector<PaddingBlock> padding_blocks;
  std::vector<RunBreak> run_breaks;
  std::vector<RestartException> restarts;
  Bytes tail;  ///< bytes between the scan's last whole byte and the next marker or its fill bytes

  bool none() const;
};
bool operator==(const RestartException& a, const RestartException& b);
bool operator==(const ScanExceptions& a, const ScanExceptions& b);

/// What a coder asks while it codes one scan, in order.
class ScanDetails {
 public:
  static constexpr uint32_t kRunBlocksMax = 0x7fff;

  virtual ~ScanDetails() = default;

  /// Changes `block` from what libjpeg would pad with to what the file has. `component` is the scan's,
  /// `coded_dc` the DC that the next difference is from.
  virtual void FillPaddingBlock(size_t component, int coded_dc, CoefficientBlock& block) = 0;

  /// The `count` bits, 1..7, that fill the last byte of an interval.
  virtual uint8_t FillBits(int count) = 0;

  /// How many blocks the end-of-band run that starts now may have at most, up to kRunBlocksMax. `broken`: the
  /// run before ended only because it had as many.
  virtual uint32_t RunBlocksMax(bool broken) = 0;

  /// What to write between two intervals: a restart marker. A view that lives as long as the details.
  virtual Bytes RestartBytes() = 0;

  /// The marker of restart `ordinal` of a scan.
  static Bytes UsualRestart(uint64_t ordinal);

 protected:
  ScanDetails() = default;
  ScanDetails(const ScanDetails&) = default;
  ScanDetails& operator=(const ScanDetails&) = default;
};

/// Answers from a list.
class ListedDetails final : public ScanDetails {
 public:
  /// Views of `exceptions` are kept.
  explicit ListedDetails(const ScanExceptions& exceptions) : exceptions_(exceptions) {}

  void FillPaddingBlock(size_t component, int coded_dc, CoefficientBlock& block) override;
  uint8_t FillBits(int count) override;
  uint32_t RunBlocksMax(bool broken) override;
  Bytes RestartBytes() override;

  /// True if all that is listed was asked for: else the list is of another scan.
  bool complete() const;

 private:
  const ScanExceptions& exceptions_;
  uint64_t padding_blocks_asked_ = 0;
  size_t padding_blocks_used_ = 0;
  size_t bits_used_ = 0;
  uint64_t runs_asked_ = 0;
  size_t runs_used_ = 0;
  uint64_t restarts_asked_ = 0;
  size_t restarts_used_ = 0;
};

}  // namespace freqstore
