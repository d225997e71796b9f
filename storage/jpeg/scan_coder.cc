#include "storage/jpeg/scan_coder.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "storage/jpeg/band_coder.h"
#include "storage/jpeg/block_symbols.h"
#include "storage/jpeg/block_transpose.h"
#include "storage/jpeg/scan_sink.h"
#include "storage/jpeg/value_coding.h"

namespace freqstore {
namespace {

template <typename Sink>
class ScanCoder {
 public:
  ScanCoder(const ScanPlan& plan, ScanDetails& details, SimdLevel level, Sink& sink)
      : plan_(plan),
        details_(details),
        level_(level),
        kernels_(GetSymbolKernels(level)),
        sink_(sink),
        bands_(plan, details, sink) {}

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
          GatherBlocks(*component.planes, y * width, width, group, blocks, level_);
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
    HandOn();
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
    } else if constexpr (kKind == ScanKind::kDcRefine) {
      Cursor cursor = sink_.Begin(component);
      cursor.Bits(static_cast<uint64_t>(block[0] >> plan_.shift & 1), 1);
      sink_.Commit(cursor);
    } else {
      if (symbol_count_ + kBlockSymbolsRoom > symbols_.size()) HandOn();
      ListedSymbol* end = symbols_.data() + symbol_count_;
      const int dc = kKind == ScanKind::kDcFirst ? block[0] >> plan_.shift : block[0];
      const CodedValue difference = CodeValue(dc - coded_dc_[c]);
      coded_dc_[c] = dc;
      *end++ = ListSymbol(TableStart(0, component.dc_table) + static_cast<size_t>(difference.category),
                          difference.bits);
      if constexpr (kKind == ScanKind::kSequential)
        end = kernels_.list_ac(block.data(), TableStart(1, component.ac_table), end);
      symbol_count_ = static_cast<size_t>(end - symbols_.data());
    }
  }

  /// Hands the listed symbols to the sink.
  void HandOn() {
    sink_.Symbols({symbols_.data(), symbol_count_});
    symbol_count_ = 0;
  }

  void EndInterval() {
    HandOn();
    bands_.EndRun(plan_.components[0]);
    sink_.EndInterval(details_);
    coded_dc_ = {};
  }

  const ScanPlan& plan_;
  ScanDetails& details_;
  const SimdLevel level_;
  const SymbolKernels& kernels_;
  Sink& sink_;
  BandCoder<Sink> bands_;

  std::array<std::vector<CoefficientBlock>, kComponentsMax> rows_;
  std::array<size_t, kComponentsMax> row_stride_{};
  std::array<int16_t, kComponentsMax> previous_dc_{};  ///< of the last block, in full
  std::array<int, kComponentsMax> coded_dc_{};         ///< what the next difference is from

  std::array<ListedSymbol, kPutSymbolsMax> symbols_;  // of sequential and first DC scans, not yet handed on
  size_t symbol_count_ = 0;
};

template <bool kWrite, bool kCount>
bool Run(const ScanPlan& plan, ScanDetails& details, BitWriter* writer, const ScanTables* tables,
         ScanStatistics* statistics) {
  const SimdLevel level = BestSimdLevel();
  ScanSink<kWrite, kCount> sink(GetSymbolKernels(level), writer, tables, statistics);
  return ScanCoder(plan, details, level, sink).Run();
}

}  // namespace

SymbolCounts SymbolCountsOf(const ScanStatistics& statistics, size_t huffman_class, size_t slot) {
  SymbolCounts symbols{};
  for (size_t place = 0; place < kSymbolPlaces; ++place) {
    const uint32_t count = statistics[TableStart(huffman_class, slot) + place];
    if (count == 0) continue;
    const size_t category = place % SymbolPlace(1, 0);
    if (category > 15) return {};
    symbols[place / SymbolPlace(1, 0) * 16 + category] = count;
  }
  return symbols;
}

bool WriteScan(const ScanPlan& plan, const ScanTables& tables, ScanDetails& details, BitWriter& writer) {
  return Run<true, false>(plan, details, &writer, &tables, nullptr);
}

void CountSymbols(const ScanPlan& plan, ScanDetails& details, ScanStatistics& statistics) {
  Run<false, true>(plan, details, nullptr, nullptr, &statistics);
}

bool WriteAndCountScan(const ScanPlan& plan, const ScanTables& tables, ScanDetails& details,
                       BitWriter& writer, ScanStatistics& statistics) {
  return Run<true, true>(plan, details, &writer, &tables, &statistics);
}

}  // namespace freqstore
