#include "storage/base/byte_budget.h"

#include <utility>

namespace freqstore {

bool ByteBudget::Acquire(uint64_t bytes, std::stop_token stop) {
  std::stop_callback wake(stop, [this] {
    absl::MutexLock lock(&mutex_);
    released_.SignalAll();
  });
  absl::MutexLock lock(&mutex_);
  while (!Fits(bytes)) {
    if (stop.stop_requested()) return false;
    released_.Wait(&mutex_);
  }
  if (stop.stop_requested()) return false;
  held_bytes_ += bytes;
  return true;
}

bool ByteBudget::TryAcquire(uint64_t bytes) {
  absl::MutexLock lock(&mutex_);
  if (!Fits(bytes)) return false;
  held_bytes_ += bytes;
  return true;
}

void ByteBudget::Release(uint64_t bytes) {
  absl::MutexLock lock(&mutex_);
  held_bytes_ -= bytes;
  released_.SignalAll();
}

uint64_t ByteBudget::held_bytes() const {
  absl::MutexLock lock(&mutex_);
  return held_bytes_;
}

BudgetHold& BudgetHold::operator=(BudgetHold&& other) noexcept {
  if (this != &other) {
    if (budget_ != nullptr) budget_->Release(bytes_);
    budget_ = std::exchange(other.budget_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

BudgetHold::~BudgetHold() {
  if (budget_ != nullptr) budget_->Release(bytes_);
}

}  // namespace freqstore
