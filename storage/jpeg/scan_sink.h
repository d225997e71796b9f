// Where the scan coder's symbols go: to bits, to counts, or both. Private to storage/jpeg.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "storage/jpeg/block_symbols.h"
#include "storage/jpeg/scan_coder.h"

namespace freqstore {

/// `writer` and `tables`, or `statistics`, may be null where kWrite or kCount says that they are not used.
template <bool kWrite, bool kCount>
class ScanSink {
 public:
  /// What the inner loop of a scan of bands or bits needs, as a value of its own: see BitCursor.
  class Cursor {
   public:
    /// The AC symbol at a SymbolPlace; `extra` are the `extra_bits` bits behind its code.
    void Ac(size_t place, uint32_t extra, int extra_bits) {
      if constexpr (kCount) ++counts_[place];
      if constexpr (kWrite) {
        const ScanCode code = codes_[place];
        all_codes_ |= code;
        // The code has room for as many bits as its category says; run lengths are longer than theirs, 0.
        const int more_bits = extra_bits - static_cast<int>(place % SymbolPlace(1, 0));
        bits_.Put(code >> 8 << more_bits | extra, static_cast<int>(code & 0xff) + more_bits);
      }
    }

    /// Bits without a symbol, 63 at most.
    void Bits(uint64_t bits, int count) {
      if constexpr (kWrite) bits_.Put(bits, count);
    }

   private:
    friend class ScanSink;

    BitCursor bits_;
    const ScanCode* codes_ = nullptr;
    uint32_t* counts_ = nullptr;
    ScanCode all_codes_ = 0;  // kNoScanCode among them shows
  };

  ScanSink(const SymbolKernels& kernels, BitWriter* writer, const ScanTables* tables,
           ScanStatistics* statistics)
      : kernels_(kernels), writer_(writer), statistics_(statistics) {
    if constexpr (kCount) other_counts_.resize(kScanPlaces);
    if constexpr (kWrite) {
      codes_.assign(kScanPlaces, kNoScanCode);
      for (size_t i = 0; i < kHuffmanClasses; ++i) {
        for (size_t slot = 0; slot < kHuffmanSlots; ++slot) {
          const HuffmanCodes* codes = (*tables)[i][slot];
          if (codes == nullptr) continue;
          ScanCode* out = codes_.data() + TableStart(i, slot);
          for (size_t place = 0; place < kSymbolPlaces; ++place)
            out[place] = ToScanCode((*codes)[place], place);
        }
      }
    }
  }

  ~ScanSink() {
    for (size_t place = 0; place < other_counts_.size(); ++place)
      (*statistics_)[place] += other_counts_[place];
  }
  ScanSink(const ScanSink&) = delete;
  ScanSink& operator=(const ScanSink&) = delete;

  /// Up to kPutSymbolsMax, of any tables.
  void Symbols(std::span<const ListedSymbol> symbols) {
    if constexpr (kCount) {
      // Two tables, as to add to a count takes longer where it was just added to.
      for (size_t i = 0; i + 1 < symbols.size(); i += 2) {
        ++(*statistics_)[symbols[i] >> 16];
        ++other_counts_[symbols[i + 1] >> 16];
      }
      if (symbols.size() % 2 != 0) ++(*statistics_)[symbols.back() >> 16];
    }
    if constexpr (kWrite) {
      static_assert(kPutRoomBytes <= BitWriter::kRoomBytes);
      BitCursor cursor = writer_->Begin();
      all_codes_ |= kernels_.put(symbols.data(), symbols.size(), codes_.data(), cursor);
      writer_->Commit(cursor);
    }
  }

  /// A cursor for one block of a component; to be given back with Commit.
  Cursor Begin(const ScanComponent& component) {
    Cursor cursor;
    const size_t table = TableStart(1, component.ac_table);
    if constexpr (kWrite) cursor.codes_ = codes_.data() + table;
    if constexpr (kCount) cursor.counts_ = statistics_->data() + table;
    if constexpr (kWrite) cursor.bits_ = writer_->Begin();
    return cursor;
  }

  void Commit(const Cursor& cursor) {
    if constexpr (kWrite) writer_->Commit(cursor.bits_);
    all_codes_ |= cursor.all_codes_;
  }

  /// Fills the last byte of an interval.
  void EndInterval(ScanDetails& details) {
    if constexpr (kWrite) {
      const int used = writer_->StoreWholeBytes();
      if (used == 0) return;
      BitCursor cursor = writer_->Begin();
      cursor.Put(details.FillBits(8 - used), 8 - used);
      writer_->Commit(cursor);
      writer_->StoreWholeBytes();
    }
  }

  void Restart(ScanDetails& details) {
    const Bytes restart = details.RestartBytes();
    if constexpr (kWrite) writer_->WriteBytes(restart);
  }

  bool failed() const {
    if constexpr (kWrite) return (all_codes_ & kNoScanCode) != 0 || writer_->failed();
    return false;
  }

 private:
  const SymbolKernels& kernels_;
  BitWriter* writer_;
  ScanStatistics* statistics_;
  std::vector<ScanCode> codes_;         // of all tables
  std::vector<uint32_t> other_counts_;  // belong to the statistics
  ScanCode all_codes_ = 0;
};

}  // namespace freqstore
