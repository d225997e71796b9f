// From a query to a plan: which images, which frequencies of each, which columns, at what cost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/device/device.h"
#include "server/plan/cost_model.h"
#include "server/plan/fidelity.h"
#include "server/plan/measures.h"
#include "storage/engine/dataset_snapshot.h"

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

/// What is read of one part, and for which of its images.
struct PlannedPart {
  size_t part = 0;  ///< index into the snapshot's parts
  std::vector<DecodeRequest> requests;
  ColumnSet columns;    ///< closed
  absl::Status status;  ///< not OK if the part's rows cannot be read: its images fail, the others do not
};

/// Images that are read alike.
struct CutGroup {
  int cover = 0;  ///< 0 for scans
  ImageCut cut;
  uint64_t images = 0;
};

struct FailedRow {
  std::string image_id;
  absl::Status status;
};

struct QueryPlan {
  std::shared_ptr<const DatasetSnapshot> snapshot;
  QueryOutput output;
  std::vector<PlannedPart> parts;
  std::vector<FailedRow> failed;  ///< ids that were asked for and do not exist

  uint64_t images = 0;
  uint64_t segments = 0;
  uint64_t delta_images = 0;
  uint64_t stored_bytes = 0;                           ///< of all columns of the parts that are read
  uint64_t file_bytes = 0;                             ///< of the JPEG files of the images
  std::vector<std::pair<ColumnId, uint64_t>> columns;  ///< bytes to be read of each, over all segments
  std::vector<CutGroup> cuts;                          ///< most images first
  WorkAmounts work;
  Measures estimated;
};

/// Bytes of result that an image gives, for bounding what is in flight.
uint64_t ResultBytes(const QueryOutput& output, const ImageRecord& image, const ImageCut& cut);

/// Plans a query over all images of the snapshot, or (`image_ids` given and not empty) over some.
absl::StatusOr<QueryPlan> PlanQuery(std::shared_ptr<const DatasetSnapshot> snapshot, QueryOutput output,
                                    std::span<const std::string> image_ids, const CostModel& costs,
                                    size_t workers);

}  // namespace freqstore
