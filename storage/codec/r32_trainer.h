// Learns the model of one column from its values in a segment.
#pragma once

#include <cstdint>
#include <vector>

#include "storage/base/cpu_features.h"
#include "storage/codec/column.h"
#include "storage/codec/r32_contexts.h"
#include "storage/codec/r32_kernels.h"
#include "storage/codec/r32_model.h"

namespace freqstore {

/// First Sample() some images, then ChooseWeights(), then Count() all images, then Finish(). Images are as
/// the encoder has them: R32Image with values, counts and the references of model(). Not thread-safe.
class R32Trainer {
 public:
  R32Trainer(ColumnId column, SimdLevel level);

  /// The references are set from the start, the rest by Finish().
  const R32Model& model() const { return model_; }

  /// Takes every `step`th block.
  void Sample(const R32Image& image, size_t step);

  void ChooseWeights();

  void Count(const R32Image& image);

  /// Whether r32 can hold what was counted: any value but -32768.
  bool fits() const { return fits_; }

  const R32Model& Finish();

 private:
  void ChooseShifts();
  void CountGroups(const R32Image& image);
  void CountValues(const R32Image& image, const uint8_t* activities);

  const bool is_dc_;
  const R32Kernels& kernels_;
  R32Model model_;

  std::vector<uint8_t> magnitudes_;  ///< of the sample
  std::vector<uint8_t> reference_magnitudes_[kR32ReferencesMax];
  size_t groups_sampled_ = 0;
  size_t groups_empty_ = 0;

  bool fits_ = true;
  R32Histogram values_{};
  R32Histogram groups_{};
  std::vector<uint8_t> activities_;
};

/// The activities that a model gives an image, for Count and for encoding: a byte a block, or a group. `out`
/// has room for whole steps.
void R32ValueActivities(const R32Kernels& kernels, const R32Model& model, bool is_dc, const R32Image& image,
                        uint8_t* out);
void R32GroupActivities(const R32Kernels& kernels, const R32Model& model, const R32Image& image,
                        uint8_t* out);

}  // namespace freqstore
