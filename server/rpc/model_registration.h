// Registers a model: checks file, spec and labels against each other, measures it, stores it.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "freqstore/v1/model.pb.h"
#include "server/rpc/service_context.h"

namespace freqstore {

/// Imports `file`, loads it on a device of its own and runs it, so that what is registered is known to run.
/// Blocks for as long as that takes.
absl::StatusOr<storage::v1::ModelMeta> RegisterModel(ServiceContext& services, const v1::ModelSpec& spec,
                                                     std::string file);

}  // namespace freqstore
