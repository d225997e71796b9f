#include "client/cpp/import_queue.h"

#include <utility>

#include "client/cpp/error.h"
#include "client/cpp/transient.h"

namespace freqstore::client {

void ImportQueue::Add(std::unique_ptr<v1::ImportImagesRequest> request) {
  const uint64_t sequence = request->sequence();
  const uint64_t bytes = request->file().size();
  bytes_ += bytes;
  unsent_.insert(unsent_.end(), sequence);
  items_.emplace_hint(items_.end(), sequence, Item{std::move(request), bytes});
}

std::shared_ptr<v1::ImportImagesRequest> ImportQueue::TakeNext() {
  if (!held_back_.empty() && !std::exchange(try_held_back_, false)) return nullptr;
  std::set<uint64_t>& from = held_back_.empty() ? unsent_ : held_back_;
  if (from.empty()) return nullptr;
  Item& item = items_.at(from.extract(from.begin()).value());
  ++item.times_sent;
  return item.request;
}

bool ImportQueue::IsHeldBackBy(const v1::ImportAcknowledgement& acknowledgement, const Item& item) const {
  if (!retries_rows_ || acknowledgement.status().code() == 0) return false;
  if (IsTransient(acknowledgement.status())) return true;
  // The server may still be at it on behalf of a stream that broke. Sent once only, the id is somebody
  // else's.
  return item.times_sent > 1 && ReasonOf(acknowledgement.status()) == "IMAGE_BEING_IMPORTED";
}

ImportQueue::Verdict ImportQueue::Answer(v1::ImportAcknowledgement& acknowledgement) {
  const auto found = items_.find(acknowledgement.sequence());
  if (found == items_.end()) return Verdict::kUnknown;
  const Item& item = found->second;
  if (IsHeldBackBy(acknowledgement, item)) {
    held_back_.insert(acknowledgement.sequence());
    return Verdict::kHeldBack;
  }
  if (item.times_sent > 1) acknowledgement.set_already_present(false);
  bytes_ -= item.bytes;
  items_.erase(found);
  unsent_.merge(held_back_);
  return Verdict::kFinal;
}

void ImportQueue::Restart() {
  for (const auto& [sequence, item] : items_) unsent_.insert(unsent_.end(), sequence);
  held_back_.clear();
  try_held_back_ = false;
}

}  // namespace freqstore::client
