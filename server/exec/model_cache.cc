#include "server/exec/model_cache.h"

#include "storage/base/status.h"

namespace freqstore {

absl::StatusOr<ModelCache::Found> ModelCache::Find(std::string_view name) {
  ASSIGN_OR_RETURN(const storage::v1::ModelMeta meta, catalog_->FindModel(name));
  absl::MutexLock lock(&mutex_);
  const auto known = models_.find(name);
  if (known != models_.end() && known->second.meta.create_time_us() == meta.create_time_us())
    return known->second;
  ASSIGN_OR_RETURN(const std::string file, catalog_->ModelFile(name));
  ASSIGN_OR_RETURN(std::shared_ptr<const Model> model, Model::FromOnnx(AsBytes(file)));
  Found found{meta, std::move(model)};
  models_.insert_or_assign(std::string(name), found);
  return found;
}

}  // namespace freqstore
