#include "storage/base/byte_budget.h"

#include <utility>

namespace freqstore {

bool ByteBudget::TryAcquire(uint64_t bytes) {
  absl::MutexLock lock(&mutex_);
  if (!Fits(bytes)) return false;
  held_bytes_ += bytes;
  return true;
}

void ByteBudget::Release(uint64_t bytes) {
  absl::MutexLock lock(&mutex_);
  held_bytes_ -= bytes;
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
