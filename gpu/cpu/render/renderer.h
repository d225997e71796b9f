// Coefficients to pixels on the CPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/cpu/render/component_pass.h"
#include "gpu/cpu/render/full_size_renderer.h"
#include "gpu/cpu/render/operator_cache.h"
#include "gpu/cpu/render/reduced_renderer.h"
#include "gpu/cpu/render/render_loops.h"
#include "gpu/device/device.h"
#include "gpu/device/render_spec.h"
#include "gpu/kernels/placement.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "storage/base/image_geometry.h"
#include "storage/base/scratch_buffer.h"

namespace freqstore {

/// How far a tensor's values, before mean and scale, may lie from the reference: so much, and so much of the
/// largest sum of magnitudes that the dequantised coefficients of a block have.
inline constexpr double kRenderTolerance = 1e-2;
inline constexpr double kRenderRelativeTolerance = 1.0 / (1 << 18);

/// Renders images one at a time, keeping scratch memory and operators. Not thread-safe.
///
/// The planes of an image are one element a component of its geometry. A frequency that is not there is zero;
/// a component without any is mid-grey. Errors: INVALID_ARGUMENT (INVALID_RENDER_SPEC), and INTERNAL
/// (GEOMETRY_MISMATCH) where the planes are not those of the geometry.
class Renderer {
 public:
  explicit Renderer(SimdLevel level);

  /// Writes 3 x height x width values, channels in the order of `spec`. With `match_weights` (see ImageCut),
  /// components other than chroma become as many points a block as the square of their frequencies has a
  /// side.
  absl::Status Render(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                      bool match_weights, const RenderSpec& spec, std::span<float> out);

  /// The image at k/8 of its size, k in 1..8. At 8 the pixels are libjpeg-turbo's, bit for bit, and all are
  /// the reference's, but for those that the reference excepts.
  absl::StatusOr<RgbImage> RenderReduced(const ImageGeometry& geometry,
                                         std::span<const CoefficientPlanes> planes, int k,
                                         bool apply_orientation);

 private:
  // The planes of a tensor for R, G and B.
  struct TensorPlanes {
    std::array<float*, 3> planes;
    ChannelScaling scaling;
  };

  void StartComponents(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                       const ImageSampling& sampling, bool match_weights);
  void RenderRows(const ImageGeometry& geometry, const ImageSampling& sampling, const TensorPlanes& tensor);
  void RenderGroups(const ImageGeometry& geometry, const ImageSampling& sampling, const TensorPlanes& tensor);
  ColorGroup RenderGroup(const ImageGeometry& geometry, size_t first_row, size_t columns);
  void ReleaseScratch();

  const RenderLoops& loops_;
  OperatorCache operators_;
  struct Operators {
    std::shared_ptr<const RenderOperator> horizontal;
    std::shared_ptr<const RenderOperator> vertical;
  };
  std::array<Operators, kComponentsMax> operators_in_use_;  // of the components of the current image
  std::array<ComponentPass, kComponentsMax> passes_;
  std::array<ScratchBuffer<float>, kComponentsMax>
      group_;                  // pixels of a row group: components, then channels
  ScratchBuffer<float> rows_;  // rows of a group
  FullSizeRenderer full_size_;
  ReducedRenderer reduced_;
};

}  // namespace freqstore
