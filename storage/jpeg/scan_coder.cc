#include "storage/jpeg/scan_coder.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "storage/jpeg/band_coder.h"
#include "storage/jpeg/block_transpose.h"
#include "storage/jpeg/scan_sink.h"
#include "storage/jpeg/value_coding.h"

namespace freqstore {
namespace {

template <typename Sink>
class ScanCoder {
 public:
  ScanCoder(const ScanPlan& plan, ScanDetails& details, Sink& sink)
      : plan_(plan), details_(details), sink_(sink), bands_(plan, details, sink) {}

  bool Run() {
    switch (plan_.kind) {
      case ScanKind::kSequential:
        return CodeMcus<ScanKind::kSequential>();
      case ScanKind::kDcFirst:
        return CodeMcus<ScanKind::kDcFirst>();
      case ScanKind::kDcRefine:
        return CodeMcus<ScanKind::kDcRefine>();
      case ScanKind::kAcFirst:
        return CodeMcus<ScanKind::kAcFirst>();
      case ScanKind::kAcRefine:
        return CodeMcus<ScanKind::kAcRefine>();
    }
    return false;
  }

 private:
  using Cursor = typename Sink::Cursor;

  template <ScanKind kKind>
  bool CodeMcus() {
    uint32_t mcus_to_restart = plan_.restart_interval;
    for (uint32_t mcu_y = 0; mcu_y < plan_.mcus_high; ++mcu_y) {
      LoadRows(mcu_y);
      for (uint32_t mcu_x = 0; mcu_x < plan_.mcus_wide; ++mcu_x) {
        if (plan_.restart_interval != 0) {
          if (mcus_to_restart == 0) {
            EndInterval();
            sink_.Restart(details_);
            mcus_to_restart = plan_.restart_interval;
          }
          --mcus_to_restart;
        }
        for (size_t c = 0; c < plan_.component_count; ++c) CodeComponent<kKind>(c, mcu_x, mcu_y);
      }
      if (sink_.failed()) return false;
    }
    EndInterval();
    return !sink_.failed();
  }

  /// Gathers the blocks of a row of MCUs, those frequencies that the scan codes.
  void LoadRows(uint32_t mcu_y) {
    for (size_t c = 0; c < plan_.component_count; ++c) {
      const ScanComponent& component = plan_.components[c];
      const size_t width = component.grid().width_blocks;
      row_stride_[c] = (width + kGatherBlocks - 1) / kGatherBlocks * kGatherBlocks;
      rows_[c].resize(row_stride_[c] * component.mcu_height_blocks);
      for (uint32_t i = 0; i < component.mcu_height_blocks; ++i) {
        const uint32_t y = mcu_y * component.mcu_height_blocks + i;
        if (y >= component.grid().height_blocks) break;
        CoefficientBlock* blocks = rows_[c].data() + i * row_stride_[c];
        for (int group = plan_.spectral_start / 8; group <= plan_.spectral_end / 8; ++group) {
          GatherBlocks(*component.planes, y * width, width, group, blocks);
        }
      }
    }
  }

  template <ScanKind kKind>
  void CodeComponent(size_t c, uint32_t mcu_x, uint32_t mcu_y) {
    const ScanComponent& component = plan_.components[c];
    for (uint32_t i = 0; i < component.mcu_height_blocks; ++i) {
      const bool inside = mcu_y * component.mcu_height_blocks + i < component.grid().height_blocks;
      const CoefficientBlock* row = rows_[c].data() + i * row_stride_[c];
      for (uint32_t j = 0; j < component.mcu_width_blocks; ++j) {
        const uint32_t x = mcu_x * component.mcu_width_blocks + j;
        if (inside && x < component.grid().width_blocks) {
          CodeBlock<kKind>(c, row[x]);
          previous_dc_[c] = row[x][0];
        } else {
          CodePadding<kKind>(c);
        }
      }
    }
  }

  template <ScanKind kKind>
  void CodePadding(size_t c) {
    CoefficientBlock block{};
    block[0] = previous_dc_[c];
    details_.FillPaddingBlock(c, coded_dc_[c], block);
    CodeBlock<kKind>(c, block);
    previous_dc_[c] = block[0];
  }

  template <ScanKind kKind>
  void CodeBlock(size_t c, const CoefficientBlock& block) {
    const ScanComponent& component = plan_.components[c];
    if constexpr (kKind == ScanKind::kAcFirst) {
      bands_.First(component, block);
    } else if constexpr (kKind == ScanKind::kAcRefine) {
      bands_.Refine(component, block);
    } else {
      Cursor cursor = sink_.Begin(component);
      if constexpr (kKind == ScanKind::kDcRefine) {
        cursor.Bits(static_cast<uint64_t>(block[0] >> plan_.shift & 1), 1);
      } else {
        const int dc = kKind == ScanKind::kDcFirst ? block[0] >> plan_.shift : block[0];
        const CodedValue difference = CodeValue(dc - coded_dc_[c]);
        coded_dc_[c] = dc;
        cursor.Dc(static_cast<size_t>(difference.category), difference.bits, difference.category);
        if constexpr (kKind == ScanKind::kSequential) CodeAc(cursor, block);
      }
      sink_.Commit(cursor);
    }
  }

  static void CodeAc(Cursor& cursor, const CoefficientBlock& block) {
    int previous = 0;
    for (uint64_t rest = NonzeroMask(block) & ~uint64_t{1}; rest != 0; rest &= rest - 1) {
      const int z = __builtin_ctzll(rest);
      int run = z - previous - 1;
      previous = z;
      for (; run >= kZeroRun; run -= kZeroRun) cursor.Ac(kZeroRunPlace, 0, 0);
      const CodedValue value = CodeNonzero(block[static_cast<size_t>(z)]);
      cursor.Ac(SymbolPlace(static_cast<size_t>(run), static_cast<size_t>(value.category)), value.bits,
                value.category);
    }
    if (previous != kFrequencies - 1) cursor.Ac(kEndOfBlockPlace, 0, 0);
  }

  void EndInterval() {
    bands_.EndRun(plan_.components[0]);
    sink_.EndInterval(details_);
    coded_dc_ = {};
  }

  const ScanPlan& plan_;
  ScanDetails& details_;
  Sink& sink_;
  BandCoder<Sink> bands_;

  std::array<std::vector<CoefficientBlock>, kComponentsMax> rows_;
  std::array<size_t, kComponentsMax> row_stride_{};
  std::array<int16_t, kComponentsMax> previous_dc_{};  ///< of the last block, in full
  std::array<int, kComponentsMax> coded_dc_{};         ///< what the next difference is from
};

template <typename Sink>
bool Run(const ScanPlan& plan, ScanDetails& details, Sink sink) {
  return ScanCoder<Sink>(plan, details, sink).Run();
}

}  // namespace

SymbolCounts SymbolCountsOf(const PlaceCounts& counts) {
  SymbolCounts symbols{};
  for (size_t place = 0; place < counts.size(); ++place) {
    if (counts[place] == 0) continue;
    const size_t category = place % SymbolPlace(1, 0);
    if (category > 15) return {};
    symbols[place / SymbolPlace(1, 0) * 16 + category] = counts[place];
  }
  return symbols;
}

bool WriteScan(const ScanPlan& plan, const ScanTables& tables, ScanDetails& details, BitWriter& writer) {
  return Run(plan, details, ScanSink<true, false>(&writer, &tables, nullptr));
}

void CountSymbols(const ScanPlan& plan, ScanDetails& details, ScanStatistics& statistics) {
  Run(plan, details, ScanSink<false, true>(nullptr, nullptr, &statistics));
}

bool WriteAndCountScan(const ScanPlan& plan, const ScanTables& tables, ScanDetails& details,
                       BitWriter& writer, ScanStatistics& statistics) {
  return Run(plan, details, ScanSink<true, true>(&writer, &tables, &statistics));
}

}  // namespace freqstore
