#include "gpu/worker/worker_pool.h"

#include <algorithm>
#include <utility>

#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr size_t kLoadedModelsMax = 8;

}  // namespace

absl::StatusOr<Worker::Prepared> Worker::Prepare(const std::shared_ptr<const Model>& model,
                                                 const Shape& input_shape) {
  const auto found =
      std::find_if(models_.begin(), models_.end(), [&](const Entry& entry) { return entry.model == model; });
  if (found != models_.end()) {
    models_.splice(models_.begin(), models_, found);
  } else {
    ASSIGN_OR_RETURN(std::unique_ptr<LoadedModel> loaded, device_->Load(model));
    models_.push_front({model, std::move(loaded), nullptr});
    if (models_.size() > kLoadedModelsMax) models_.pop_back();
  }
  Entry& entry = models_.front();
  if (entry.input == nullptr || entry.input->shape() != input_shape) {
    ASSIGN_OR_RETURN(entry.input, device_->Allocate(DataType::kFloat32, input_shape));
  }
  return Prepared{entry.loaded.get(), entry.input.get()};
}

WorkerPool::WorkerPool(size_t workers, MakeDevice make_device) {
  for (size_t i = 0; i < workers; ++i) threads_.emplace_back([this, make_device] { Run(make_device); });
}

WorkerPool::~WorkerPool() {
  {
    absl::MutexLock lock(&mutex_);
    closing_ = true;
    changed_.SignalAll();
  }
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::Add(std::shared_ptr<WorkSource> source) {
  absl::MutexLock lock(&mutex_);
  sources_.push_back(std::move(source));
  changed_.SignalAll();
}

void WorkerPool::Remove(const WorkSource* source) {
  std::shared_ptr<WorkSource> removed;  // destroyed after the lock is gone
  absl::MutexLock lock(&mutex_);
  const auto found = std::find_if(sources_.begin(), sources_.end(),
                                  [&](const auto& other) { return other.get() == source; });
  if (found == sources_.end()) return;
  removed = std::move(*found);
  sources_.erase(found);
}

void WorkerPool::Notify() {
  absl::MutexLock lock(&mutex_);
  changed_.SignalAll();
}

std::optional<WorkSource::Task> WorkerPool::TakeNext() {
  for (auto source = sources_.begin(); source != sources_.end(); ++source) {
    std::optional<WorkSource::Task> task = (*source)->TryTake();
    if (!task) continue;
    sources_.splice(sources_.end(), sources_, source);
    return task;
  }
  return std::nullopt;
}

void WorkerPool::Run(const MakeDevice& make_device) {
  Worker worker(make_device());
  while (true) {
    std::optional<WorkSource::Task> task;
    {
      absl::MutexLock lock(&mutex_);
      while (!closing_ && !(task = TakeNext())) changed_.Wait(&mutex_);
      if (!task) return;
    }
    (*task)(worker);
  }
}

}  // namespace freqstore
