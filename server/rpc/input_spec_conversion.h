// Input specs: wire, disk, and what the renderer takes.
#pragma once

#include "absl/status/statusor.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "freqstore/v1/model.pb.h"
#include "gpu/device/render_spec.h"
#include "gpu/model/model.h"

namespace freqstore {

/// Fills what `spec` leaves open from the model's input, checks it against that, and gives what is stored.
/// INVALID_ARGUMENT (INVALID_INPUT_SPEC) says which field is wrong and what would be right.
absl::StatusOr<storage::v1::InputSpec> ResolveInputSpec(const v1::InputSpec& spec, const Model& model);

v1::InputSpec ToWire(const storage::v1::InputSpec& spec);

RenderSpec ToRenderSpec(const storage::v1::InputSpec& spec, bool apply_orientation);

}  // namespace freqstore
