// The models of the catalog.

#include <utility>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/catalog.h"
#include "storage/catalog/keys.h"

namespace freqstore {
namespace {

absl::Status ModelNotFound(std::string_view name) {
  return MakeError(absl::StatusCode::kNotFound, "MODEL_NOT_FOUND",
                   fmt::format("there is no model '{}'; `freqstore model list` shows those there are", name));
}

}  // namespace

absl::Status Catalog::PutModel(const storage::v1::ModelMeta& model, std::string file) {
  RETURN_IF_ERROR(CheckName("model", model.name()));
  absl::MutexLock lock(&mutex_);
  if (models_.contains(model.name())) {
    return MakeError(
        absl::StatusCode::kAlreadyExists, "MODEL_EXISTS",
        fmt::format("there is already a model '{}'; delete it first or choose another name", model.name()));
  }
  KvBatch batch;
  batch.Put(Family::kCatalog, keys::Model(model.name()), model.SerializeAsString());
  batch.Put(Family::kCatalog, keys::ModelFile(model.name()), std::move(file));
  RETURN_IF_ERROR(kv_->Write(batch));
  models_.emplace(model.name(), model);
  return absl::OkStatus();
}

absl::StatusOr<storage::v1::ModelMeta> Catalog::FindModel(std::string_view name) const {
  absl::ReaderMutexLock lock(&mutex_);
  const auto found = models_.find(name);
  if (found == models_.end()) return ModelNotFound(name);
  return found->second;
}

absl::StatusOr<std::string> Catalog::ModelFile(std::string_view name) const {
  ASSIGN_OR_RETURN(auto file, kv_->Get(Family::kCatalog, keys::ModelFile(name)));
  if (!file) return ModelNotFound(name);
  return *std::move(file);
}

std::vector<storage::v1::ModelMeta> Catalog::Models() const {
  absl::ReaderMutexLock lock(&mutex_);
  std::vector<storage::v1::ModelMeta> models;
  for (const auto& [name, model] : models_) models.push_back(model);
  return models;
}

absl::Status Catalog::DeleteModel(std::string_view name) {
  absl::MutexLock lock(&mutex_);
  const auto found = models_.find(name);
  if (found == models_.end()) return ModelNotFound(name);
  KvBatch batch;
  batch.Delete(Family::kCatalog, keys::Model(name));
  batch.Delete(Family::kCatalog, keys::ModelFile(name));
  RETURN_IF_ERROR(kv_->Write(batch));
  models_.erase(found);
  return absl::OkStatus();
}

}  // namespace freqstore
