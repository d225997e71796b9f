#include "storage/base/row_set.h"

namespace freqstore {

RowSet::RowSet(size_t rows, bool all)
    : rows_(rows), words_((rows + kBits - 1) / kBits, all ? ~uint64_t{0} : 0) {
  if (all && rows % kBits != 0) words_.back() = (uint64_t{1} << (rows % kBits)) - 1;
}

std::optional<RowSet> RowSet::Decode(Bytes bytes, size_t rows) {
  RowSet set(rows);
  if (bytes.empty()) return set;
  if (bytes.size() != (rows + 7) / 8) return std::nullopt;
  for (size_t i = 0; i < bytes.size(); ++i) set.words_[i / 8] |= uint64_t{bytes[i]} << (8 * (i % 8));
  if (rows % kBits != 0 && set.words_.back() >> (rows % kBits) != 0) return std::nullopt;
  return set;
}

std::string RowSet::Encode() const {
  std::string bytes;
  for (size_t i = 0; i < (rows_ + 7) / 8; ++i)
    bytes.push_back(static_cast<char>(words_[i / 8] >> (8 * (i % 8)) & 0xff));
  return bytes;
}

size_t RowSet::count() const {
  size_t count = 0;
  for (const uint64_t word : words_) count += static_cast<size_t>(std::popcount(word));
  return count;
}

RowSet& RowSet::operator&=(const RowSet& other) {
  for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  return *this;
}

RowSet& RowSet::operator|=(const RowSet& other) {
  for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  return *this;
}

RowSet& RowSet::operator-=(const RowSet& other) {
  for (size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  return *this;
}

RowSet RowSet::Complement() const {
  RowSet complement(rows_, true);
  complement -= *this;
  return complement;
}

std::vector<uint32_t> RowSet::ToOrdinals() const {
  std::vector<uint32_t> ordinals;
  ForEach([&](size_t row) { ordinals.push_back(static_cast<uint32_t>(row)); });
  return ordinals;
}

}  // namespace freqstore
