// Where the scan coder's symbols go: to bits, to counts, or both. Private to storage/jpeg.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/jpeg/scan_coder.h"

namespace freqstore {

/// Stands in for a table that a scan does not use.
inline constexpr HuffmanCodes kNoCodes = [] {
  HuffmanCodes codes{};
  for (uint32_t& code : codes) code = kNoCode;
  return codes;
}();

/// `writer` and `tables`, or `statistics`, may be null where kWrite or kCount says that they are not used.
template <bool kWrite, bool kCount>
class ScanSink {
 public:
  /// What a coder's inner loop needs, as a value of its own: see BitCursor.
  class Cursor {
   public:
    /// The symbol at a SymbolPlace; `extra` are the `extra_bits` bits behind its code.
    void Dc(size_t place, uint32_t extra, int extra_bits) { Symbol<0>(place, extra, extra_bits); }
    void Ac(size_t place, uint32_t extra, int extra_bits) { Symbol<1>(place, extra, extra_bits); }
    /// Bits without a symbol, 63 at most.
    void Bits(uint64_t bits, int count) {
      if constexpr (kWrite) bits_.Put(bits, count);
    }

   private:
    friend class ScanSink;

    template <size_t kClass>
    void Symbol(size_t place, uint32_t extra, int extra_bits) {
      if constexpr (kCount) ++counts_[kClass][place];
      if constexpr (kWrite) {
        const uint32_t code = codes_[kClass][place];
        all_codes_ |= code;
        bits_.Put(uint64_t{code >> 8} << extra_bits | extra, static_cast<int>(code & 0xff) + extra_bits);
      }
    }

    BitCursor bits_;
    const uint32_t* codes_[kHuffmanClasses] = {};
    uint32_t* counts_[kHuffmanClasses] = {};
    uint32_t all_codes_ = 0;  // kNoCode among them shows
  };

  ScanSink(BitWriter* writer, const ScanTables* tables, ScanStatistics* statistics)
      : writer_(writer), tables_(tables), statistics_(statistics) {}

  /// A cursor for one block of a component; to be given back with Commit.
  Cursor Begin(const ScanComponent& component) {
    Cursor cursor;
    const size_t slots[kHuffmanClasses] = {component.dc_table, component.ac_table};
    for (size_t i = 0; i < kHuffmanClasses; ++i) {
      if constexpr (kWrite) {
        const HuffmanCodes* codes = (*tables_)[i][slots[i]];
        cursor.codes_[i] = codes == nullptr ? kNoCodes.data() : codes->data();
      }
      if constexpr (kCount) cursor.counts_[i] = (*statistics_)[i][slots[i]].data();
    }
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
    if constexpr (kWrite) return (all_codes_ & kNoCode) != 0 || writer_->failed();
    return false;
  }

 private:
  BitWriter* writer_;
  const ScanTables* tables_;
  ScanStatistics* statistics_;
  uint32_t all_codes_ = 0;
};

}  // namespace freqstore
