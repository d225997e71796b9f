#include "storage/jpeg/jpeg_reader.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/jpeg/exif_orientation.h"
#include "storage/jpeg/jpeg_markers.h"
#include "storage/jpeg/libjpeg_decoder.h"
#include "storage/jpeg/quality_estimate.h"

// After <cstdio> and jpeglib.h.
#include <jerror.h>

namespace freqstore {
namespace {

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kInvalidArgument, "CORRUPT_JPEG", message);
}

absl::Status Unsupported(std::string_view message) {
  return MakeError(absl::StatusCode::kUnimplemented, "UNSUPPORTED_JPEG", message);
}

absl::Status CheckPixels(const jpeg_decompress_struct& info, const JpegLimits& limits) {
  const uint64_t pixels = uint64_t{info.image_width} * info.image_height;
  if (pixels <= limits.pixels_max) return absl::OkStatus();
  return MakeError(absl::StatusCode::kResourceExhausted, "LIMIT_PIXELS",
                   fmt::format("the image has {} x {} = {} pixels; the limit is {}", info.image_width,
                               info.image_height, pixels, limits.pixels_max));
}

/// Images of up to so many blocks are read however little of them is there.
constexpr uint64_t kBlocksWithoutData = uint64_t{1} << 18;

/// A header of a few bytes must not cost the memory and time of a large image: no code is shorter than a bit.
/// An arithmetic coder gets on with less; 32 blocks a bit are more than any photo has.
absl::Status CheckImageData(const jpeg_decompress_struct& info, const JpegFile& file) {
  uint64_t blocks = 0;
  for (int c = 0; c < info.num_components; ++c)
    blocks += uint64_t{info.comp_info[c].width_in_blocks} * info.comp_info[c].height_in_blocks;
  uint64_t bytes = 0;
  for (const JpegSegment& segment : file.segments) bytes += segment.entropy.size();
  const uint64_t blocks_max = 8 * bytes * (info.arith_code != 0 ? 32 : 1);
  if (blocks <= std::max(blocks_max, kBlocksWithoutData)) return absl::OkStatus();
  return Corrupt(fmt::format("{} bytes of image data, too few for {} x {} pixels", bytes, info.image_width,
                             info.image_height));
}

absl::Status TooManyComponents(int components) {
  return MakeError(
      absl::StatusCode::kResourceExhausted, "LIMIT_COMPONENTS",
      fmt::format("the image has {} components; up to {} are supported", components, kComponentsMax));
}

/// What went wrong in libjpeg-turbo, in our terms.
absl::Status DecoderError(const LibjpegDecoder& decoder, const JpegLimits& limits) {
  if (decoder.scans_exceeded()) {
    return MakeError(absl::StatusCode::kResourceExhausted, "LIMIT_SCANS",
                     fmt::format("the file has more than {} scans, which is the limit", limits.scans_max));
  }
  const jpeg_decompress_struct& info = decoder.info();
  switch (decoder.error_code()) {
    case JERR_INPUT_EMPTY:
      return MakeError(absl::StatusCode::kInvalidArgument, "EMPTY_FILE", "the file has no bytes");
    case JERR_NO_SOI:
      return MakeError(absl::StatusCode::kInvalidArgument, "NOT_A_JPEG", decoder.error_message());
    case JERR_BAD_PRECISION:
      if (info.data_precision != 12) break;
      return Unsupported("a file of 12 bits a sample; 8 bits are supported");
    case JERR_SOF_UNSUPPORTED:
      return Unsupported(fmt::format("{} (lossless, hierarchical and the like)", decoder.error_message()));
    case JERR_ARITH_NOTIMPL:
      return Unsupported(decoder.error_message());
    case JERR_COMPONENT_COUNT:
      return TooManyComponents(info.num_components);
    case JERR_IMAGE_TOO_BIG:
      RETURN_IF_ERROR(CheckPixels(info, limits));
      return Unsupported(fmt::format("the image is {} x {}; a side of up to {} pixels is supported",
                                     info.image_width, info.image_height, JPEG_MAX_DIMENSION));
    case JERR_OUT_OF_MEMORY:
      return MakeError(absl::StatusCode::kResourceExhausted, "OUT_OF_MEMORY", decoder.error_message());
    default:
      break;
  }
  return Corrupt(decoder.error_message());
}

absl::StatusOr<ColorModel> ColorModelOf(const jpeg_decompress_struct& info) {
  switch (info.jpeg_color_space) {
    case JCS_GRAYSCALE:
      return ColorModel::kGrayscale;
    case JCS_YCbCr:
      return ColorModel::kYCbCr;
    case JCS_RGB:
      return ColorModel::kRgb;
    case JCS_CMYK:
      return info.saw_Adobe_marker != 0 ? ColorModel::kAdobeCmyk : ColorModel::kCmyk;
    case JCS_YCCK:
      return ColorModel::kAdobeYcck;
    default:
      return Unsupported(
          fmt::format("a file of {} components; 1, 3 and 4 are supported", info.num_components));
  }
}

/// The first orientation that an APP1 marker before the first scan gives.
uint8_t OrientationOf(const JpegFile& file) {
  for (const JpegSegment& segment : file.segments) {
    if (segment.code == marker::kSos) break;
    if (segment.code != marker::kApp1) continue;
    if (const std::optional<uint8_t> orientation = ParseExifOrientation(segment.payload)) return *orientation;
  }
  return 1;
}

/// The file with the height that its DNL marker gives, where its frame leaves it open; else nothing.
std::string WithNumberOfLines(Bytes file, const JpegFile& parsed) {
  const auto frame = std::find_if(parsed.segments.begin(), parsed.segments.end(),
                                  [](const JpegSegment& segment) { return IsFrameMarker(segment.code); });
  if (frame == parsed.segments.end()) return {};
  const std::optional<FrameHeader> header = ParseFrameHeader(frame->payload);
  const std::optional<uint16_t> lines = FindNumberOfLines(parsed);
  if (!header || header->height != 0 || !lines) return {};
  std::string patched(AsString(file));
  const auto height = static_cast<size_t>(frame->payload.data() + 1 - file.data());
  patched[height] = static_cast<char>(*lines >> 8);
  patched[height + 1] = static_cast<char>(*lines & 0xff);
  return patched;
}

/// True if some component was in no scan: libjpeg-turbo notes its quantiser at its first scan.
bool LacksScans(const jpeg_decompress_struct& info) {
  for (int c = 0; c < info.num_components; ++c) {
    if (info.comp_info[c].quant_table == nullptr) return true;
  }
  return false;
}

/// The steps of a component in zigzag order, or nullopt if one is zero.
std::optional<std::array<uint16_t, kFrequencies>> QuantiserOf(const jpeg_component_info& component) {
  std::array<uint16_t, kFrequencies> quant;
  quant.fill(1);
  // Of a component without a scan all coefficients are zero: any steps give the same pixels.
  if (component.quant_table == nullptr) return quant;
  for (size_t z = 0; z < kFrequencies; ++z) {
    quant[z] = component.quant_table->quantval[kZigzagToNatural[z]];
    if (quant[z] == 0) return std::nullopt;
  }
  return quant;
}

absl::Status FillComponents(const jpeg_decompress_struct& info, ImageGeometry& geometry) {
  for (int c = 0; c < info.num_components; ++c) {
    const jpeg_component_info& source = info.comp_info[c];
    const std::optional<std::array<uint16_t, kFrequencies>> quant = QuantiserOf(source);
    if (!quant) return Corrupt(fmt::format("a quantiser step of component {} is zero", c));
    ComponentGeometry component;
    // A lone component is stored without regard to its sampling factors (ITU-T T.81, A.2.2).
    if (info.num_components > 1) {
      component.h_samp = static_cast<uint8_t>(source.h_samp_factor);
      component.v_samp = static_cast<uint8_t>(source.v_samp_factor);
    }
    component.quant = *quant;
    geometry.components.push_back(component);
  }
  for (ComponentGeometry& component : geometry.components) component.grid = ExpectedGrid(geometry, component);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<JpegImage> ReadJpeg(Bytes file, const JpegLimits& limits,
                                   std::vector<CoefficientPlanes> memory) {
  ASSIGN_OR_RETURN(const JpegFile parsed, ParseJpegFile(file, limits));
  const std::string patched = WithNumberOfLines(file, parsed);
  LibjpegDecoder decoder;
  if (!decoder.ReadHeader(patched.empty() ? file : AsBytes(patched))) return DecoderError(decoder, limits);
  const jpeg_decompress_struct& info = decoder.info();
  RETURN_IF_ERROR(CheckPixels(info, limits));
  if (info.num_components > kComponentsMax) return TooManyComponents(info.num_components);
  RETURN_IF_ERROR(CheckImageData(info, parsed));

  JpegImage image;
  image.geometry.width = info.image_width;
  image.geometry.height = info.image_height;
  ASSIGN_OR_RETURN(image.geometry.color, ColorModelOf(info));
  image.geometry.orientation = OrientationOf(parsed);

  if (!decoder.ReadCoefficients(limits.scans_max)) return DecoderError(decoder, limits);
  RETURN_IF_ERROR(FillComponents(info, image.geometry));
  image.components = std::move(memory);
  image.components.resize(image.geometry.components.size());
  for (int c = 0; c < info.num_components; ++c) {
    const BlockGrid grid = image.geometry.components[static_cast<size_t>(c)].grid;
    assert((grid == BlockGrid{info.comp_info[c].width_in_blocks, info.comp_info[c].height_in_blocks}));
    CoefficientPlanes& planes = image.components[static_cast<size_t>(c)];
    planes.Reset(grid, FrequencySet::All());
    if (!decoder.CopyPlanes(c, planes)) return DecoderError(decoder, limits);
  }
  image.progressive = info.progressive_mode != 0;
  image.truncated = decoder.truncated() || LacksScans(info);
  image.warnings = decoder.warnings();
  image.quality = EstimateQuality(image.geometry.components[0].quant);
  return image;
}

}  // namespace freqstore
