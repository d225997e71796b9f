#include "gpu/cpu/cpu_device.h"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "gpu/cpu/model/cpu_model.h"
#include "gpu/cpu/model/cpu_tensor.h"
#include "gpu/cpu/render/renderer.h"
#include "storage/base/status.h"
#include "storage/segment/segment_decoder.h"

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

class CpuDecodedImage final : public DecodedImage {
 public:
  /// All of which must outlive this.
  CpuDecodedImage(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes,
                  bool match_weights)
      : geometry_(geometry), planes_(planes), match_weights_(match_weights) {}

  const ImageGeometry& geometry() const { return geometry_; }
  std::span<const CoefficientPlanes> planes() const { return planes_; }
  bool match_weights() const { return match_weights_; }

 private:
  const ImageGeometry& geometry_;
  const std::span<const CoefficientPlanes> planes_;
  const bool match_weights_;
};

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(SimdLevel level) : decoder_(level), renderer_(level) {}

  std::string_view name() const override { return "cpu"; }

  absl::StatusOr<std::unique_ptr<Tensor>> Allocate(DataType type, Shape shape) override {
    return CpuTensor::Allocate(type, std::move(shape));
  }

  absl::Status Decode(const SegmentReader& segment, std::span<const DecodeRequest> requests,
                      ConsumeDecoded consume) override {
    return GuardMemory([&]() -> absl::Status {
      std::vector<ImageRequest> columns;
      columns.reserve(requests.size());
      for (const DecodeRequest& request : requests) {
        const bool is_same = !columns.empty() && request.cut == requests[columns.size() - 1].cut;
        columns.push_back({request.ordinal, is_same ? columns.back().columns : request.cut.columns()});
      }
      decoder_.Decode(segment, columns,
                      [&](size_t index, const absl::Status& status, std::vector<CoefficientPlanes>& planes) {
                        if (!status.ok()) return consume(index, status, nullptr);
                        const DecodeRequest& request = requests[index];
                        const CpuDecodedImage image(segment.images()[request.ordinal].geometry, planes,
                                                    request.cut.match_weights);
                        consume(index, status, &image);
                      });
      return absl::OkStatus();
    });
  }

  absl::Status Render(const DecodedImage& image, const RenderSpec& spec, Tensor& out, int64_t row) override {
    ASSIGN_OR_RETURN(const CpuDecodedImage* decoded, Own(image));
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
      return renderer_.Render(decoded->geometry(), decoded->planes(), decoded->match_weights(), spec,
                              tensor->floats().subspan(static_cast<size_t>(row) * values, values));
    });
  }

  absl::StatusOr<RgbImage> RenderReduced(const DecodedImage& image, int k, bool apply_orientation) override {
    ASSIGN_OR_RETURN(const CpuDecodedImage* decoded, Own(image));
    if (k < 1 || k > kBlockSide) return InvalidCall(fmt::format("there is no scale of {}/8; k is 1 to 8", k));
    return GuardMemory([&] {
      return renderer_.RenderReduced(decoded->geometry(), decoded->planes(), k, apply_orientation);
    });
  }

  absl::StatusOr<std::vector<CoefficientPlanes>> CopyCoefficients(const DecodedImage& image) override {
    ASSIGN_OR_RETURN(const CpuDecodedImage* decoded, Own(image));
    return GuardMemory([&]() -> absl::StatusOr<std::vector<CoefficientPlanes>> {
      return std::vector<CoefficientPlanes>(decoded->planes().begin(), decoded->planes().end());
    });
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
  static absl::StatusOr<const CpuDecodedImage*> Own(const DecodedImage& image) {
    const auto* decoded = dynamic_cast<const CpuDecodedImage*>(&image);
    if (decoded == nullptr) return WrongDevice("image");
    return decoded;
  }

  SegmentDecoder decoder_;
  Renderer renderer_;
};

}  // namespace

std::unique_ptr<Device> MakeCpuDevice(SimdLevel level) {
  return std::make_unique<CpuDevice>(level);
}

}  // namespace freqstore
