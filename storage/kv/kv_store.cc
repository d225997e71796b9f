#include "storage/kv/kv_store.h"

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
