// What a query asks for, and which rows it is about.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "gpu/device/device.h"
#include "server/plan/fidelity.h"
#include "storage/engine/dataset_snapshot.h"
#include "storage/engine/row_selection.h"

namespace freqstore {

/// Images rendered for a model.
struct ModelInput {
  std::string model;  ///< name, for people
  RenderSpec render;
  Fidelity fidelity;
  double seconds_per_image = 0;
  uint64_t result_bytes_per_image = 0;
};

/// Reduced images at k/8.
struct ReducedPixels {
  int k = 8;
  bool apply_orientation = true;
};

/// The low side x side coefficients of each component.
struct LowCoefficients {
  int side = 8;
};

using QueryOutput = std::variant<ModelInput, ReducedPixels, LowCoefficients>;

/// Immutable, thread-safe. What is read of each part is planned when its turn comes: see PlanPart.
struct QueryPlan {
  std::shared_ptr<const DatasetSnapshot> snapshot;
  QueryOutput output;
  std::string filter;  ///< as it was understood; empty if there is none
  RowSelection selection;
};

}  // namespace freqstore
