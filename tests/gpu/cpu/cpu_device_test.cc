#include "gpu/cpu/cpu_device.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "gpu/cpu/render/reference_render.h"
#include "storage/base/status.h"
#include "storage/segment/segment_writer.h"
#include "tests/gpu/cpu/synthetic_image.h"

namespace freqstore {
namespace {

using testutil::ImageSpec;
using testutil::Keep;
using testutil::MakeImage;
using testutil::TestImage;
using testutil::UniformCut;

// A segment of three images of different layouts, its chunks and a reader.
class Segment {
 public:
  Segment() {
    specs_ = {{.width = 50, .height = 37, .seed = 1},
              {.width = 64, .height = 20, .sampling = {{2, 2}, {1, 1}, {1, 1}}, .orientation = 6, .seed = 2},
              {.width = 17, .height = 90, .color = ColorModel::kGrayscale, .sampling = {{1, 1}}, .seed = 3}};
    SegmentWriter writer({});
    for (const ImageSpec& spec : specs_) {
      images_.push_back(MakeImage(spec));
      ImageRecord record;
      record.image_id = testutil::Describe(spec);
      record.geometry = images_.back().geometry;
      writer.Add(PackImage(record, images_.back().components));
    }
    encoded_ = writer.Finish().value();
  }

  std::vector<ChunkView> Chunks() const {
    std::vector<ChunkView> chunks;
    for (const EncodedColumn& column : encoded_.columns) chunks.push_back({column.id, AsBytes(column.chunk)});
    return chunks;
  }

  SegmentReader Reader() const { return {encoded_.images, Chunks()}; }
  EncodedSegment& encoded() { return encoded_; }
  const TestImage& image(size_t index) const { return images_[index]; }
  size_t size() const { return images_.size(); }

 private:
  std::vector<ImageSpec> specs_;
  std::vector<TestImage> images_;
  EncodedSegment encoded_;
};

std::vector<DecodeRequest> RequestAll(const Segment& segment, const ImageCut& cut) {
  std::vector<DecodeRequest> requests;
  for (size_t i = 0; i < segment.size(); ++i) requests.push_back({i, cut});
  return requests;
}

constexpr RenderSpec kSpec{
    .resize = {.width = 12, .height = 10}, .mean = {1, 2, 3}, .scale = {.5f, .5f, .5f}};

/// Decodes, and calls `visit(index, image)` for each image; returns the statuses.
template <typename Visit>
std::vector<absl::Status> DecodeAll(Device& device, const SegmentReader& reader,
                                    const std::vector<DecodeRequest>& requests, Visit visit) {
  std::vector<absl::Status> statuses(requests.size(), absl::UnknownError("not consumed"));
  const absl::Status status = device.Decode(
      reader, requests, [&](size_t index, const absl::Status& decoded, const DecodedImage* image) {
        CHECK(absl::IsUnknown(statuses[index]));
        CHECK(decoded.ok() == (image != nullptr));
        statuses[index] = decoded;
        if (image != nullptr) visit(index, *image);
      });
  REQUIRE(status.ok());
  return statuses;
}

TEST_CASE("images go from a segment to rows of a tensor") {
  const Segment segment;
  const SegmentReader reader = segment.Reader();
  const auto device = MakeCpuDevice();
  CHECK(device->name() == "cpu");
  ImageCut cut = UniformCut(4, 4);
  for (int batch = 0; batch < 3; ++batch) {
    cut.match_weights = batch == 2;  // the device's memory is used again
    auto tensor = device->Allocate(DataType::kFloat32, {3, 3, 10, 12});
    REQUIRE(tensor.ok());
    const auto statuses =
        DecodeAll(*device, reader, RequestAll(segment, cut), [&](size_t index, const DecodedImage& image) {
          REQUIRE(device->Render(image, kSpec, **tensor, static_cast<int64_t>(index)).ok());
        });
    for (const absl::Status& status : statuses) REQUIRE(status.ok());
    std::vector<float> values(size_t{3} * 3 * 10 * 12);
    REQUIRE(device->CopyToHost(**tensor, values).ok());
    for (size_t i = 0; i < segment.size(); ++i) {
      const TestImage& image = segment.image(i);
      const auto expected =
          ReferenceRender(image.geometry, Keep(image.components, cut), cut.match_weights, kSpec);
      REQUIRE(expected.ok());
      CHECK(std::ranges::equal(*expected, std::span(values).subspan(i * 360, 360),
                               [](float a, float b) { return std::abs(a - b) < 1e-2f; }));
    }
  }
}

TEST_CASE("reduced images and coefficients come back from the device") {
  const Segment segment;
  const SegmentReader reader = segment.Reader();
  const auto device = MakeCpuDevice();
  size_t seen = 0;
  DecodeAll(*device, reader, RequestAll(segment, UniformCut(8)),
            [&](size_t index, const DecodedImage& decoded) {
              ++seen;
              const TestImage& image = segment.image(index);
              const auto full = device->RenderReduced(decoded, 8, true);
              REQUIRE(full.ok());
              CHECK(full->pixels == ReferenceRenderReduced(image.geometry, image.components, 8, true).pixels);
              const auto coefficients = device->CopyCoefficients(decoded);
              REQUIRE(coefficients.ok());
              REQUIRE(coefficients->size() == image.components.size());
              for (size_t c = 0; c < coefficients->size(); ++c) {
                for (int z = 0; z < kFrequencies; ++z) {
                  REQUIRE((*coefficients)[c].Values(z) == image.components[c].Values(z));
                }
              }
            });
  CHECK(seen == segment.size());
}

TEST_CASE("a damaged chunk costs the images that need it, not the batch") {
  Segment segment;
  EncodedColumn& damaged = segment.encoded().columns[1 + kFrequencies];  // a chroma column: image 2 has none
  REQUIRE(damaged.id == ColumnId{1, 1});
  damaged.chunk[damaged.chunk.size() / 2] = static_cast<char>(damaged.chunk[damaged.chunk.size() / 2] ^ 0x55);
  const SegmentReader reader = segment.Reader();
  const auto device = MakeCpuDevice();
  const auto statuses =
      DecodeAll(*device, reader, RequestAll(segment, UniformCut(2)), [](size_t, const auto&) {});
  CHECK(absl::IsDataLoss(statuses[0]));
  CHECK(absl::IsDataLoss(statuses[1]));
  CHECK(statuses[2].ok());
}

class ForeignTensor final : public Tensor {
 public:
  ForeignTensor() : Tensor(DataType::kFloat32, {1, 3, 10, 12}) {}
};

class ForeignImage final : public DecodedImage {};

TEST_CASE("calls that do not fit are refused with a reason") {
  const Segment segment;
  const SegmentReader reader = segment.Reader();
  const auto device = MakeCpuDevice();
  const auto allocate = [&](DataType type, Shape shape) {
    return std::move(device->Allocate(type, shape)).value();
  };
  ForeignTensor foreign_tensor;
  const auto statuses = DecodeAll(
      *device, reader, {{0, UniformCut(2)}, {99, UniformCut(2)}}, [&](size_t, const DecodedImage& image) {
        const auto render = [&](Tensor& tensor, int64_t row) {
          return ReasonOf(device->Render(image, kSpec, tensor, row));
        };
        CHECK(render(*allocate(DataType::kFloat32, {1, 3, 10, 12}), 0) == "OK");
        CHECK(render(*allocate(DataType::kFloat32, {1, 3, 10, 12}), 1) == "INVALID_DEVICE_CALL");
        CHECK(render(*allocate(DataType::kFloat32, {1, 3, 10, 12}), -1) == "INVALID_DEVICE_CALL");
        CHECK(render(*allocate(DataType::kFloat32, {1, 3, 12, 10}), 0) == "INVALID_DEVICE_CALL");
        CHECK(render(*allocate(DataType::kFloat32, {3, 10, 12}), 0) == "INVALID_DEVICE_CALL");
        CHECK(render(*allocate(DataType::kUint8, {1, 3, 10, 12}), 0) == "INVALID_DEVICE_CALL");
        CHECK(render(foreign_tensor, 0) == "WRONG_DEVICE");
        for (int k : {-1, 0, 9})
          CHECK(ReasonOf(device->RenderReduced(image, k, true).status()) == "INVALID_DEVICE_CALL");
      });
  CHECK(statuses[0].ok());
  CHECK(ReasonOf(statuses[1]) == "ORDINAL_OUT_OF_RANGE");

  const ForeignImage foreign_image;
  CHECK(ReasonOf(device->CopyCoefficients(foreign_image).status()) == "WRONG_DEVICE");
  std::vector<float> values(4);
  CHECK(ReasonOf(device->CopyToHost(foreign_tensor, values)) == "WRONG_DEVICE");
  CHECK(ReasonOf(device->CopyToHost(*allocate(DataType::kFloat32, {3}), values)) == "INVALID_DEVICE_CALL");
  CHECK(ReasonOf(device->CopyToHost(*allocate(DataType::kInt64, {9}), values)) == "INVALID_DEVICE_CALL");
  CHECK(ReasonOf(device->Allocate(DataType::kFloat32, {-1, 3}).status()) == "INVALID_SHAPE");
  CHECK(ReasonOf(device->Allocate(DataType::kFloat32, {int64_t{1} << 40, int64_t{1} << 40}).status()) ==
        "INVALID_SHAPE");
}

}  // namespace
}  // namespace freqstore
