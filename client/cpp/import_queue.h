// What an import was given and has not been told the end of.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "freqstore/v1/image.pb.h"

namespace freqstore::client {

/// Images in the order of their sequence numbers. Each waits to be sent, waits for its answer, or is held
/// back because its store could not be written; while any is held back, nothing is sent but one of them now
/// and then. Not thread-safe.
class ImportQueue {
 public:
  /// `retries_rows` false: every answer is final.
  explicit ImportQueue(bool retries_rows) : retries_rows_(retries_rows) {}

  /// `request` has a sequence number above all before.
  void Add(std::unique_ptr<v1::ImportImagesRequest> request);

  bool empty() const { return items_.empty(); }
  /// Of the files.
  uint64_t bytes() const { return bytes_; }
  /// Nothing is left to send on this stream, now or after a wait.
  bool all_sent() const { return unsent_.empty() && held_back_.empty(); }
  /// Something was sent and has no answer.
  bool has_unanswered() const { return items_.size() > unsent_.size() + held_back_.size(); }

  /// What to send now, null if nothing. It stays in the queue; who sends it may change its stream's fields.
  std::shared_ptr<v1::ImportImagesRequest> TakeNext();

  enum class Verdict : uint8_t {
    kFinal,     ///< for the caller's ears; the image has left the queue
    kHeldBack,  ///< will be sent again
    kUnknown,   ///< nothing in the queue is meant
  };
  /// An image that is there already, because an earlier stream had brought it, becomes one that was imported.
  Verdict Answer(v1::ImportAcknowledgement& acknowledgement);

  /// TakeNext gives the first of those that are held back, to see how it fares. An answer that is final sets
  /// the others free.
  void TryHeldBack() { try_held_back_ = !held_back_.empty(); }

  /// There is a new stream, on which everything is to be sent again.
  void Restart();

 private:
  struct Item {
    std::shared_ptr<v1::ImportImagesRequest> request;
    uint64_t bytes = 0;
    uint32_t times_sent = 0;
  };

  bool IsHeldBackBy(const v1::ImportAcknowledgement& acknowledgement, const Item& item) const;

  const bool retries_rows_;
  std::map<uint64_t, Item> items_;
  std::set<uint64_t> unsent_;
  std::set<uint64_t> held_back_;
  bool try_held_back_ = false;
  uint64_t bytes_ = 0;
};

}  // namespace freqstore::client
