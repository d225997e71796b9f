// Recipes as the bytes that ENVELOPE.md specifies.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "storage/base/image_geometry.h"
#include "storage/jpeg/jpeg_recipe.h"

namespace freqstore {

/// Bounds of the format: a recipe beyond them has no envelope, an envelope beyond them is refused.
inline constexpr size_t kEnvelopeSegmentsMax = 65536;
inline constexpr size_t kEnvelopeScansMax = 1000;  ///< each costs its writer as much as the coefficients

/// The envelope of a recipe for an image of `geometry`.
std::string SerializeEnvelope(const JpegRecipe& recipe, const ImageGeometry& geometry);

/// The inverse. The recipe's views are into `envelope` and its own storage. Error (DATA_LOSS):
/// CORRUPT_ENVELOPE.
absl::StatusOr<JpegRecipe> ParseEnvelope(Bytes envelope, const ImageGeometry& geometry);

}  // namespace freqstore
