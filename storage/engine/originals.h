// The files that images came from, byte for byte.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "storage/engine/dataset_snapshot.h"

namespace freqstore {

/// Called once an image, in no particular order; false ends the reading.
using ConsumeOriginal = absl::FunctionRef<bool(uint32_t ordinal, absl::StatusOr<std::string> file)>;

/// Rebuilds, or reads, the original files of some images of a part, and compares each with the SHA-256 of
/// what came in. `ordinals` ascend. An image whose columns or file are damaged gets DATA_LOSS
/// (ORIGINAL_MISMATCH, or the reason of what is damaged); the others get their files. Holds all columns of
/// the part. An error of the whole part is returned. Thread-safe.
absl::Status ReadOriginalFiles(const DatasetSnapshot& snapshot, const Part& part,
                               std::span<const uint32_t> ordinals, ConsumeOriginal consume);

/// Of one image.
absl::StatusOr<std::string> ReadOriginalFile(const DatasetSnapshot& snapshot,
                                             DatasetSnapshot::Position position);

}  // namespace freqstore
