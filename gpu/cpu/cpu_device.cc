#include "gpu/cpu/cpu_device.h"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "gpu/cpu/coefficient_pool.h"
#include "gpu/cpu/cpu_decoded_images.h"
#include "gpu/cpu/model/cpu_model.h"
#include "gpu/cpu/model/cpu_tensor.h"
#include "gpu/cpu/render/renderer.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

absl::Status InvalidCall(std::string_view message) {
  return MakeError(absl::StatusCode::kInvalidArgument, "INVALID_DEVICE_CALL", message);
}

absl::Status WrongDevice(std::string_view what) {
  return MakeError(absl::StatusCode::kInvalidArgument, "WRONG_DEVICE",
                   fmt::format("the {} is not in the memory of the CPU device", what));
}

// Runs `body`, whose result a status converts to; memory that runs out becomes a status.
template <typename Body>
auto GuardMemory(Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return MakeError(absl::StatusCode::kResourceExhausted, "OUT_OF_DEVICE_MEMORY",
                     "the machine has no memory left for this batch; use smaller batches or fewer workers");
  }
}

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(SimdLevel level) : renderer_(level) {}

  std::string_view name() const override { return "cpu"; }

  absl::StatusOr<std::unique_ptr<Tensor>> Allocate(DataType type, Shape shape) override {
    return CpuTensor::Allocate(type, std::move(shape));
  }

  absl::StatusOr<std::unique_ptr<DecodedImages>> Decode(const SegmentReader& segment,
                                                        std::span<const DecodeRequest> requests) override {
    return GuardMemory([&]() -> absl::StatusOr<std::unique_ptr<DecodedImages>> {
      auto images = std::make_unique<CpuDecodedImages>(pool_);
      for (const DecodeRequest& request : requests) DecodeOne(segment, request, *images);
      return images;
    });
  }

  absl::Status Render(const DecodedImages& images, size_t index, const RenderSpec& spec, Tensor& out,
                      int64_t row) override {
    ASSIGN_OR_RETURN(const CpuDecodedImages* decoded, Usable(images, index));
    auto* tensor = dynamic_cast<CpuTensor*>(&out);
    if (tensor == nullptr) return WrongDevice("tensor");
    const Shape& shape = tensor->shape();
    const int64_t height = spec.resize.height;
    const int64_t width = spec.resize.width;
    if (tensor->type() != DataType::kFloat32 || shape.size() != 4 || shape[1] != 3 || shape[2] != height ||
        shape[3] != width || row < 0 || row >= shape[0]) {
      return InvalidCall(fmt::format("an image of {} x {} pixels cannot be rendered to row {} of a tensor {}",
                                     width, height, row, ToString(shape)));
    }
    const auto values = static_cast<size_t>(3 * height * width);
    return GuardMemory([&] {
      return renderer_.Render(decoded->geometry(index), decoded->planes(index), decoded->match_weights(index),
                              spec, tensor->floats().subspan(static_cast<size_t>(row) * values, values));
    });
  }

  absl::StatusOr<RgbImage> RenderReduced(const DecodedImages& images, size_t index, int k,
                                         bool apply_orientation) override {
    ASSIGN_OR_RETURN(const CpuDecodedImages* decoded, Usable(images, index));
    if (k < 1 || k > kBlockSide) return InvalidCall(fmt::format("there is no scale of {}/8; k is 1 to 8", k));
    return GuardMemory([&] {
      return renderer_.RenderReduced(decoded->geometry(index), decoded->planes(index), k, apply_orientation);
    });
  }

  absl::StatusOr<std::vector<CoefficientPlanes>> CopyCoefficients(const DecodedImages& images,
                                                                  size_t index) override {
    ASSIGN_OR_RETURN(const CpuDecodedImages* decoded, Usable(images, index));
    return GuardMemory(
        [&]() -> absl::StatusOr<std::vector<CoefficientPlanes>> { return decoded->planes(index); });
  }

  absl::StatusOr<std::unique_ptr<LoadedModel>> Load(std::shared_ptr<const Model> model) override {
    return LoadCpuModel(std::move(model));
  }

  absl::Status CopyToHost(const Tensor& tensor, std::span<float> out) override {
    const auto* source = dynamic_cast<const CpuTensor*>(&tensor);
    if (source == nullptr) return WrongDevice("tensor");
    if (source->type() != DataType::kFloat32)
      return InvalidCall("only a float32 tensor can be copied as floats");
    if (out.size() > source->floats().size()) {
      return InvalidCall(
          fmt::format("{} values were asked of a tensor that has {}", out.size(), source->floats().size()));
    }
    std::copy_n(source->floats().begin(), out.size(), out.begin());
    return absl::OkStatus();
  }

 private:
  void DecodeOne(const SegmentReader& segment, const DecodeRequest& request, CpuDecodedImages& images) {
    if (request.ordinal >= segment.images().size()) {
      images.Add(nullptr, {}, false,
                 InvalidCall(fmt::format("image {} was asked of a segment that has {}", request.ordinal,
                                         segment.images().size())));
      return;
    }
    ImagePlanes planes = pool_->Take();
    absl::Status status = segment.DecodeImage(request.ordinal, request.cut.columns(), planes);
    images.Add(&segment.images()[request.ordinal].geometry, std::move(planes), request.cut.match_weights,
               std::move(status));
  }

  // The images as this device's, if `index` is one of them and was decoded.
  static absl::StatusOr<const CpuDecodedImages*> Usable(const DecodedImages& images, size_t index) {
    const auto* decoded = dynamic_cast<const CpuDecodedImages*>(&images);
    if (decoded == nullptr) return WrongDevice("batch of images");
    if (index >= decoded->size()) {
      return InvalidCall(fmt::format("image {} was asked of a batch of {}", index, decoded->size()));
    }
    RETURN_IF_ERROR(decoded->status(index));
    return decoded;
  }

  std::shared_ptr<CoefficientPool> pool_ = std::make_shared<CoefficientPool>();
  Renderer renderer_;
};

}  // namespace

std::unique_ptr<Device> MakeCpuDevice(SimdLevel level) {
  return std::make_unique<CpuDevice>(level);
}

}  // namespace freqstore
