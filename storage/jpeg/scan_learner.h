// Finds a scan's exceptions: answers the coder from the file's own bits.
#pragma once

#include <array>
#include <optional>

#include "storage/jpeg/bit_writer.h"
#include "storage/jpeg/huffman_table.h"
#include "storage/jpeg/scan_exceptions.h"
#include "storage/jpeg/scan_plan.h"

namespace freqstore {

/// The tables that a scan is coded with, [class][slot]; null where there are none.
using HuffmanTables = std::array<std::array<const HuffmanTable*, kHuffmanSlots>, kHuffmanClasses>;

/// Bits of entropy-coded data from any place on; zeros where they end.
class EntropyReader {
 public:
  /// From bit `bit`, 0..7 from the top, of byte `at` on.
  EntropyReader(Bytes entropy, uint64_t at, int bit);

  uint32_t Bits(int count);

  /// The next symbol of a table; 0 where the bits are no code.
  uint8_t Symbol(const HuffmanTable& table);

  /// A value of a category as ITU-T T.81, F.2.2.1, extends it.
  int Value(int category);

 private:
  uint32_t Bit();

  Bytes entropy_;
  size_t at_;
  int bit_;
};

/// Up to where a scan is asked about, what `writer` wrote of it must be what the file has: so the coder's
/// place is the file's. Where it is not, the answers are of no use, but safe.
class LearningDetails final : public ScanDetails {
 public:
  /// Views of everything are kept. `writer` has written nothing yet.
  LearningDetails(const ScanPlan& plan, const HuffmanTables& tables, Bytes entropy, BitWriter& writer)
      : plan_(plan), tables_(tables), entropy_(entropy), writer_(writer) {}

  void FillPaddingBlock(size_t component, int coded_dc, CoefficientBlock& block) override;
  uint8_t FillBits(int count) override;
  uint32_t RunBlocksMax(bool broken) override;
  Bytes RestartBytes() override;

  /// What was learned, once the scan is written; `tail` is a view of the file.
  ScanExceptions Take();

 private:
  EntropyReader Reader();
  CoefficientBlock ReadPaddingBlock(const ScanComponent& component, int coded_dc,
                                    const CoefficientBlock& predicted);

  const ScanPlan& plan_;
  const HuffmanTables& tables_;
  Bytes entropy_;
  BitWriter& writer_;
  ScanExceptions learned_;
  uint64_t padding_blocks_ = 0;
  uint64_t runs_ = 0;
  uint64_t restarts_ = 0;
  uint32_t last_run_blocks_ = 0;
  bool ones_ = true;  // so far all padding bits were
  bool zeros_ = true;
};

}  // namespace freqstore
