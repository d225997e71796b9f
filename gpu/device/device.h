// A device decodes chunks, renders images and runs models. The CPU is a device like any other.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/device/render_spec.h"
#include "gpu/device/rgb_image.h"
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

/// Coefficients of one image, in the memory of the device that decoded them.
class DecodedImage {
 public:
  virtual ~DecodedImage() = default;
};

/// Receives the images of a Decode call: the index of the request, OK or why the image could not be decoded
/// (one damaged chunk costs its images, not the batch), and the image, if OK. It lives until the call
/// returns.
using ConsumeDecoded = absl::FunctionRef<void(size_t, const absl::Status&, const DecodedImage*)>;

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

  /// Decodes images and hands over each as soon as it is there, once a request and in no particular order.
  /// `consume` may render on this device. Whole substreams, two at a time, decode fastest (SegmentDecoder).
  /// An error that is not of an image ends the call; not all requests were consumed then.
  virtual absl::Status Decode(const SegmentReader& segment, std::span<const DecodeRequest> requests,
                              ConsumeDecoded consume) = 0;

  /// Renders an image into row `row` of `out` (N x 3 x height x width float32).
  virtual absl::Status Render(const DecodedImage& image, const RenderSpec& spec, Tensor& out,
                              int64_t row) = 0;

  /// Renders an image at k/8 of its size, ceil(width * k / 8) by ceil(height * k / 8), like libjpeg-turbo's
  /// scaled decode, with the k x k inverse transform (k in 1..8). k = 8 is the full image.
  virtual absl::StatusOr<RgbImage> RenderReduced(const DecodedImage& image, int k,
                                                 bool apply_orientation) = 0;

  /// The coefficients of an image, one element a component.
  virtual absl::StatusOr<std::vector<CoefficientPlanes>> CopyCoefficients(const DecodedImage& image) = 0;

  virtual absl::StatusOr<std::unique_ptr<LoadedModel>> Load(std::shared_ptr<const Model> model) = 0;

  /// Copies the first `out.size()` elements of a float32 tensor.
  virtual absl::Status CopyToHost(const Tensor& tensor, std::span<float> out) = 0;
};

}  // namespace freqstore
