#include "storage/kv/kv_store.h"

#include <algorithm>
#include <iterator>

namespace freqstore {

void KvBatch::Put(Family family, std::string key, std::string value) {
  changes_.push_back({Change::Kind::kPut, family, std::move(key), std::move(value)});
}

void KvBatch::Delete(Family family, std::string key) {
  changes_.push_back({Change::Kind::kDelete, family, std::move(key), {}});
}

void KvBatch::DeletePrefix(Family family, std::string prefix) {
  changes_.push_back({Change::Kind::kDeletePrefix, family, std::move(prefix), {}});
}

void KvBatch::Append(KvBatch other) {
  changes_.insert(changes_.end(), std::make_move_iterator(other.changes_.begin()),
                  std::make_move_iterator(other.changes_.end()));
  frees_space_ = frees_space_ || other.frees_space_;
}

bool KvBatch::frees_space() const {
  return frees_space_ || std::all_of(changes_.begin(), changes_.end(),
                                     [](const Change& change) { return change.kind != Change::Kind::kPut; });
}

uint64_t KvBatch::bytes() const {
  uint64_t bytes = 0;
  for (const Change& change : changes_) bytes += change.key.size() + change.value.size();
  return bytes;
}

std::string PrefixEnd(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty()) {
    if (static_cast<unsigned char>(end.back()) != 0xff) {
      end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
      return end;
    }
    end.pop_back();
  }
  return end;
}

}  // namespace freqstore
