// Codes the AC coefficients of progressive scans (ITU-T T.81, G.1.2.2 and G.1.2.3). Private to storage/jpeg.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "storage/jpeg/block_transpose.h"
#include "storage/jpeg/scan_exceptions.h"
#include "storage/jpeg/scan_plan.h"
#include "storage/jpeg/value_coding.h"

namespace freqstore {

/// The blocks of one scan, one after the other. `Sink` is a ScanSink.
template <typename Sink>
class BandCoder {
 public:
  BandCoder(const ScanPlan& plan, ScanDetails& details, Sink& sink)
      : plan_(plan), details_(details), sink_(sink) {
    for (int z = plan.spectral_start; z <= plan.spectral_end; ++z) band_ |= uint64_t{1} << z;
  }

  void First(const ScanComponent& component, const CoefficientBlock& block) {
    int previous = plan_.spectral_start - 1;
    uint64_t rest = MasksOf(block, plan_.shift).nonzero & band_;
    if (rest != 0) {
      Cursor cursor = sink_.Begin(component);
      EndRun(cursor);
      for (; rest != 0; rest &= rest - 1) {
        const int z = __builtin_ctzll(rest);
        int run = z - previous - 1;
        previous = z;
        for (; run >= kZeroRun; run -= kZeroRun) cursor.Ac(kZeroRunPlace, 0, 0);
        // Magnitudes are shifted, not values: both round towards zero.
        const int value = block[static_cast<size_t>(z)];
        const int magnitude = std::abs(value) >> plan_.shift;
        const CodedValue coded = CodeNonzero(value < 0 ? -magnitude : magnitude);
        cursor.Ac(SymbolPlace(static_cast<size_t>(run), static_cast<size_t>(coded.category)), coded.bits,
                  coded.category);
      }
      sink_.Commit(cursor);
    }
    if (previous != plan_.spectral_end) ExtendRun(component, {});
  }

  void Refine(const ScanComponent& component, const CoefficientBlock& block) {
    const BlockMasks masks = MasksOf(block, plan_.shift);
    const int last_new = 63 - std::countl_zero(masks.one & band_);  // -1 if no value is new
    Cursor cursor = sink_.Begin(component);
    int previous = plan_.spectral_start - 1;
    int run = 0;
    BitString corrections;  // of the values known before, since the last symbol
    for (uint64_t rest = masks.nonzero & band_; rest != 0; rest &= rest - 1) {
      const int z = __builtin_ctzll(rest);
      run += z - previous - 1;
      previous = z;
      for (; run >= kZeroRun && z <= last_new; run -= kZeroRun) {
        EndRun(cursor);
        cursor.Ac(kZeroRunPlace, 0, 0);
        corrections.MoveTo(cursor);
      }
      const int value = block[static_cast<size_t>(z)];
      if ((masks.one >> z & 1) == 0) {
        corrections.Append(std::abs(value) >> plan_.shift & 1);
        continue;
      }
      EndRun(cursor);
      cursor.Ac(SymbolPlace(static_cast<size_t>(run), 1), value < 0 ? 0 : 1, 1);
      corrections.MoveTo(cursor);
      run = 0;
    }
    sink_.Commit(cursor);
    run += plan_.spectral_end - previous;
    if (run > 0 || corrections.count > 0) ExtendRun(component, corrections);
  }

  /// Writes the run that is open, at the end of an interval.
  void EndRun(const ScanComponent& component) {
    Cursor cursor = sink_.Begin(component);
    EndRun(cursor);
    sink_.Commit(cursor);
  }

 private:
  using Cursor = typename Sink::Cursor;

  /// libjpeg ends a run of blocks rather than keep more correction bits than this for it: MAX_CORR_BITS -
  /// DCTSIZE2 + 1.
  static constexpr size_t kRunCorrectionBitsMax = 1000 - 64 + 1;

  /// Correction bits of one block.
  struct BitString {
    uint64_t bits = 0;
    int count = 0;

    void Append(int bit) {
      bits = bits << 1 | static_cast<uint64_t>(bit);
      ++count;
    }
    void MoveTo(Cursor& cursor) {
      cursor.Bits(bits, count);
      *this = {};
    }
  };

  /// Adds a block to the end-of-band run. A run is written when something else follows it.
  void ExtendRun(const ScanComponent& component, const BitString& corrections) {
    bool broken = false;
    if (run_blocks_ > 0) {
      const bool full = run_blocks_ == ScanDetails::kRunBlocksMax || run_bits_ > kRunCorrectionBitsMax;
      if (full || run_blocks_ == run_blocks_max_) {
        broken = !full;
        EndRun(component);
      }
    }
    if (run_blocks_ == 0) run_blocks_max_ = details_.RunBlocksMax(broken);
    ++run_blocks_;
    if (corrections.count > 0) run_corrections_.push_back(corrections);
    run_bits_ += static_cast<size_t>(corrections.count);
  }

  void EndRun(Cursor& cursor) {
    if (run_blocks_ == 0) return;
    const int bits = static_cast<int>(std::bit_width(run_blocks_)) - 1;
    cursor.Ac(SymbolPlace(static_cast<size_t>(bits), 0), run_blocks_ & ((1u << bits) - 1), bits);
    for (BitString& corrections : run_corrections_) corrections.MoveTo(cursor);
    run_corrections_.clear();
    run_bits_ = 0;
    run_blocks_ = 0;
  }

  const ScanPlan& plan_;
  ScanDetails& details_;
  Sink& sink_;
  uint64_t band_ = 0;  // the scan's frequencies

  uint32_t run_blocks_ = 0;
  uint32_t run_blocks_max_ = 0;
  std::vector<BitString> run_corrections_;
  size_t run_bits_ = 0;
};

}  // namespace freqstore
