// Substreams of r32.
#pragma once

#include <span>
#include <string>

#include "storage/base/cpu_features.h"
#include "storage/base/scratch_buffer.h"
#include "storage/codec/column.h"
#include "storage/codec/r32_kernels.h"
#include "storage/codec/r32_model.h"

namespace freqstore {

/// Memory for encoding, which the columns of a segment share.
struct R32EncodeScratch {
  ScratchBuffer<uint16_t> words;
  ScratchBuffer<uint8_t> activities;
  ScratchBuffer<uint8_t> group_activities;
};

/// Encodes the substreams of one column. All levels give the same bytes. Not thread-safe.
class R32Encoder {
 public:
  /// `model` must outlive this.
  R32Encoder(ColumnId column, const R32Model& model, SimdLevel level);

  /// Appends the substream of `images`, whose values the model counted, to `out`.
  void Append(std::span<const R32Image> images, R32EncodeScratch& scratch, std::string& out) const;

 private:
  const bool is_dc_;
  const R32Model& model_;
  const R32Kernels& kernels_;
  const R32EncodeTable table_;
};

}  // namespace freqstore
