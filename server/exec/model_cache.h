// Registered models, imported when first asked for.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "gpu/model/model.h"
#include "storage/catalog/catalog.h"

namespace freqstore {

/// Thread-safe. A model that was deleted and registered anew under its name is imported anew.
class ModelCache {
 public:
  explicit ModelCache(Catalog* catalog) : catalog_(catalog) {}

  struct Found {
    storage::v1::ModelMeta meta;
    std::shared_ptr<const Model> model;
  };
  /// NOT_FOUND (MODEL_NOT_FOUND), or why the stored file cannot be imported.
  absl::StatusOr<Found> Find(std::string_view name);

 private:
  Catalog* const catalog_;
  absl::Mutex mutex_;
  std::map<std::string, Found, std::less<>> models_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace freqstore
