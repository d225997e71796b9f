// A device decodes chunks, renders images and runs models. The CPU is a device like any other.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/device/render_spec.h"
#include "gpu/device/tensor.h"
#include "gpu/model/model.h"
#include "storage/base/coefficient_planes.h"
#include "storage/segment/segment_reader.h"

namespace freqstore {

/// One image to decode out of a segment.
struct DecodeRequest {
  size_t ordinal = 0;  ///< of the image in the segment
  ImageCut cut;
};

/// Coefficients of some images, in the memory of the device that decoded them. Each image has its own status:
/// one damaged chunk costs its images, not the batch. Does not outlive the SegmentReader it was decoded from.
class DecodedImages {
 public:
  virtual ~DecodedImages() = default;
  virtual size_t size() const = 0;
  virtual const absl::Status& status(size_t index) const = 0;
};

/// Interleaved 8-bit RGB on the host.
struct RgbImage {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<uint8_t> pixels;  ///< height rows of width * 3 bytes
};

/// A model compiled for a device. Used by the device's thread only.
class LoadedModel {
 public:
  virtual ~LoadedModel() = default;

  /// Runs the first `rows` of `input` (NCHW, at least `rows` of N) and returns the outputs in the model's
  /// order, each with `rows` as its first dimension. The tensors stay valid until the next Run or the end of
  /// this object.
  virtual absl::StatusOr<std::vector<const Tensor*>> Run(const Tensor& input, int64_t rows) = 0;
};

/// Owned and used by one thread (a worker). Work may be queued; CopyToHost, RenderReduced and
/// CopyCoefficients wait for what they need. Errors are the device's: RESOURCE_EXHAUSTED
/// (OUT_OF_DEVICE_MEMORY), INTERNAL (DEVICE_FAILED).
class Device {
 public:
  virtual ~Device() = default;
  virtual std::string_view name() const = 0;  ///< "cpu", "cuda:0"

  virtual absl::StatusOr<std::unique_ptr<Tensor>> Allocate(DataType type, Shape shape) = 0;

  virtual absl::StatusOr<std::unique_ptr<DecodedImages>> Decode(const SegmentReader& segment,
                                                                std::span<const DecodeRequest> requests) = 0;

  /// Renders image `index`, whose status is OK, into row `row` of `out` (N x 3 x height x width float32).
  virtual absl::Status Render(const DecodedImages& images, size_t index, const RenderSpec& spec, Tensor& out,
                              int64_t row) = 0;

  /// Renders image `index` at k/8 of its size, ceil(width * k / 8) by ceil(height * k / 8), like
  /// libjpeg-turbo's scaled decode, with the k x k inverse transform (k in 1..8). k = 8 is the full image.
  virtual absl::StatusOr<RgbImage> RenderReduced(const DecodedImages& images, size_t index, int k,
                                                 bool apply_orientation) = 0;

  /// The coefficients of image `index`, one element a component.
  virtual absl::StatusOr<std::vector<CoefficientPlanes>> CopyCoefficients(const DecodedImages& images,
                                                                          size_t index) = 0;

  virtual absl::StatusOr<std::unique_ptr<LoadedModel>> Load(std::shared_ptr<const Model> model) = 0;

  /// Copies the first `out.size()` elements of a float32 tensor.
  virtual absl::Status CopyToHost(const Tensor& tensor, std::span<float> out) = 0;
};

}  // namespace freqstore
