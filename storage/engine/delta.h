// The delta: recent images that are not in a segment yet, one row each.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "freqstore/storage/v1/catalog.pb.h"
#include "storage/catalog/catalog.h"
#include "storage/engine/image_encoder.h"
#include "storage/kv/kv_store.h"

namespace freqstore {

/// A delta row without its coefficients.
struct DeltaEntry {
  uint64_t row = 0;
  uint64_t chunk_bytes = 0;
  ImageRecord record;
  OwnAttributes attributes;
};

/// Writes `images` as rows in one atomic, durable step.
absl::Status CommitDelta(Catalog& catalog, uint32_t dataset_id, std::span<const EncodedImage> images);

/// nullopt if there is no such row. DATA_LOSS (CORRUPT_DELTA).
absl::StatusOr<std::optional<DeltaEntry>> FindDelta(KvStore& kv, uint32_t dataset_id, uint64_t row,
                                                    const KvSnapshot* snapshot);

/// Adds other attributes of a row to `batch`. DATA_LOSS (CORRUPT_DELTA), also if the row has gone.
absl::Status PutDeltaAttributes(KvStore& kv, uint32_t dataset_id, uint64_t row,
                                const OwnAttributes& attributes, const KvSnapshot* snapshot, KvBatch& batch);

/// The rows from number `first_row` on in the order in which they came, `rows_max` at the most.
absl::StatusOr<std::vector<DeltaEntry>> ListDelta(KvStore& kv, uint32_t dataset_id,
                                                  const KvSnapshot* snapshot, uint64_t first_row = 0,
                                                  size_t rows_max = std::numeric_limits<size_t>::max());

struct DeltaExtent {
  uint64_t rows = 0;
  int64_t oldest_us = 0;  ///< when the first of them came, microseconds since 1970-01-01 UTC
};

/// How much there is, without reading it; stops counting at `rows_max`.
absl::StatusOr<DeltaExtent> MeasureDelta(KvStore& kv, uint32_t dataset_id, uint64_t rows_max);

/// The chunks of a row. DATA_LOSS (CORRUPT_DELTA) if they are gone or cannot be parsed.
absl::StatusOr<storage::v1::DeltaChunks> ReadDeltaChunks(KvStore& kv, uint32_t dataset_id, uint64_t row,
                                                         const KvSnapshot* snapshot);

/// The envelope of a row, or the whole file where its record says so. DATA_LOSS (CORRUPT_DELTA).
absl::StatusOr<std::string> ReadDeltaOriginal(KvStore& kv, uint32_t dataset_id, uint64_t row,
                                              const KvSnapshot* snapshot);

/// The whole row, as it was before it was committed: every column of it has been decoded.
absl::StatusOr<EncodedImage> ReadDeltaImage(KvStore& kv, uint32_t dataset_id, const DeltaEntry& entry,
                                            const KvSnapshot* snapshot);

/// Adds the removal of a row (not of its id) to `batch`.
void RemoveDeltaRow(uint32_t dataset_id, uint64_t row, KvBatch& batch);

}  // namespace freqstore
