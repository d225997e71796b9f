// Runs a Model on the CPU with oneDNN.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "gpu/device/device.h"

namespace freqstore {

/// Compiles `model`: layers become oneDNN primitives, weights are packed, activations share one arena by
/// liveness.
///
/// Run takes batches of any size that memory holds. The first of a size compiles for it (tens of milliseconds
/// to seconds); the last four sizes are kept, and share packed weights where they can: keep to few sizes.
/// Everything happens on the calling thread alone; the object may move between threads but serves one at a
/// time.
///
/// Errors: of loading, UNSUPPORTED_OPERATOR (UNIMPLEMENTED) and OUT_OF_DEVICE_MEMORY (RESOURCE_EXHAUSTED); of
/// running, also INVALID_SHAPE (INVALID_ARGUMENT) for an input that does not fit the model, and DEVICE_FAILED
/// (INTERNAL).
absl::StatusOr<std::unique_ptr<LoadedModel>> LoadCpuModel(std::shared_ptr<const Model> model);

}  // namespace freqstore
