#include "storage/codec/bp32_codec.h"

#include <cassert>
#include <vector>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/codec/dc_prediction.h"

namespace freqstore {
namespace {

size_t GroupsOf(uint64_t values) {
  return static_cast<size_t>((values + kBp32GroupValues - 1) / kBp32GroupValues);
}
size_t WidthBytes(size_t groups) {
  return (groups + 1) / 2;
}

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK", message);
}

struct Run {
  Bytes widths;
  Bytes rest;  ///< from the packed data on
  size_t packed_bytes = 0;
};

/// Splits the bytes that start with a run of `values` values.
absl::StatusOr<Run> ParseRun(const Bp32Kernels& kernels, uint64_t values, Bytes bytes) {
  const size_t groups = GroupsOf(values);
  const size_t width_bytes = WidthBytes(groups);
  if (bytes.size() < width_bytes) return Corrupt("bp32: the widths of an image are cut off");
  Run run{.widths = bytes.first(width_bytes), .rest = bytes.subspan(width_bytes)};
  if (groups % 2 != 0 && (run.widths.back() >> 4) != 0) return Corrupt("bp32: a spare width is not zero");
  run.packed_bytes = kernels.packed_bytes(run.widths.data(), groups);
  if (run.rest.size() < run.packed_bytes) return Corrupt("bp32: the values of an image are cut off");
  return run;
}

}  // namespace

void Bp32Codec::EncodeRun(ImageValues values, std::string& out) const {
  const size_t width_bytes = WidthBytes(GroupsOf(values.size()));
  const size_t begin = out.size();
  out.resize(begin + width_bytes);
  auto* widths = reinterpret_cast<uint8_t*>(out.data() + begin);
  const size_t packed_bytes = kernels_.measure(values.data(), values.size(), widths);

  out.resize(begin + width_bytes + packed_bytes + kBp32PackSlack);
  widths = reinterpret_cast<uint8_t*>(out.data() + begin);
  kernels_.pack(values.data(), values.size(), widths, widths + width_bytes);
  out.resize(begin + width_bytes + packed_bytes);
}

void Bp32Codec::Encode(const SubstreamShape& shape, std::span<const ImageValues> images,
                       std::string& out) const {
  assert(images.size() == shape.grids.size());
  std::vector<int16_t> residuals;
  for (size_t i = 0; i < images.size(); ++i) {
    assert(images[i].size() == shape.grids[i].blocks());
    if (shape.frequency == 0) {
      residuals.resize(images[i].size());
      PredictDc(shape.grids[i], images[i], residuals);
      EncodeRun(residuals, out);
    } else {
      EncodeRun(images[i], out);
    }
  }
}

absl::Status Bp32Codec::LocateRuns(const SubstreamShape& shape, Bytes substream,
                                   std::span<uint32_t> offsets) const {
  assert(offsets.size() == shape.grids.size() + 1);
  size_t offset = 0;
  for (size_t i = 0; i < shape.grids.size(); ++i) {
    offsets[i] = static_cast<uint32_t>(offset);
    ASSIGN_OR_RETURN(const Run run, ParseRun(kernels_, shape.grids[i].blocks(), substream.subspan(offset)));
    offset += run.widths.size() + run.packed_bytes;
  }
  offsets.back() = static_cast<uint32_t>(offset);
  if (offset != substream.size()) {
    return Corrupt(fmt::format("bp32: {} bytes follow the last image", substream.size() - offset));
  }
  return absl::OkStatus();
}

bool Bp32Codec::IsNarrow(int frequency, const BlockGrid& grid, Bytes run) const {
  const size_t groups = GroupsOf(grid.blocks());
  if (frequency == 0 || run.size() < WidthBytes(groups)) return false;
  return kernels_.width_max(run.data(), groups) <= kBp32NarrowWidth;
}

absl::Status Bp32Codec::DecodeNarrowRun(Bytes bytes, std::span<int8_t> out) const {
  ASSIGN_OR_RETURN(const Run run, ParseRun(kernels_, out.size(), bytes));
  if (run.rest.size() != run.packed_bytes) return Corrupt("bp32: bytes follow the values of an image");
  kernels_.unpack_narrow(run.widths.data(), run.rest.data(), run.packed_bytes, out.size(), out.data());
  return absl::OkStatus();
}

absl::Status Bp32Codec::DecodeRun(int frequency, const BlockGrid& grid, Bytes bytes,
                                  std::span<int16_t> out) const {
  assert(out.size() == grid.blocks());
  ASSIGN_OR_RETURN(const Run run, ParseRun(kernels_, out.size(), bytes));
  if (run.rest.size() != run.packed_bytes) return Corrupt("bp32: bytes follow the values of an image");
  kernels_.unpack(run.widths.data(), run.rest.data(), run.packed_bytes, out.size(), out.data());
  if (frequency == 0 && !out.empty())
    kernels_.undo_prediction(out.data(), grid.width_blocks, grid.height_blocks);
  return absl::OkStatus();
}

}  // namespace freqstore
