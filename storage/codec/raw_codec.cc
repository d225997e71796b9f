#include "storage/codec/raw_codec.h"

#include <bit>
#include <cassert>
#include <cstring>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as they are");

absl::Status CheckLength(size_t bytes, uint64_t values) {
  if (bytes == values * sizeof(int16_t)) return absl::OkStatus();
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK",
                   fmt::format("raw: {} bytes for {} values of 2 bytes", bytes, values));
}

}  // namespace

void RawCodec::Encode(const SubstreamShape&, std::span<const ImageValues> images, std::string& out) const {
  for (ImageValues values : images) {
    out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
}

absl::Status RawCodec::LocateRuns(const SubstreamShape& shape, Bytes substream,
                                  std::span<uint32_t> offsets) const {
  assert(offsets.size() == shape.grids.size() + 1);
  RETURN_IF_ERROR(CheckLength(substream.size(), shape.values()));
  uint32_t offset = 0;
  for (size_t i = 0; i < shape.grids.size(); ++i) {
    offsets[i] = offset;
    offset += static_cast<uint32_t>(shape.grids[i].blocks() * sizeof(int16_t));
  }
  offsets.back() = offset;
  return absl::OkStatus();
}

absl::Status RawCodec::DecodeRun(int, const BlockGrid& grid, Bytes run, std::span<int16_t> out) const {
  assert(out.size() == grid.blocks());
  RETURN_IF_ERROR(CheckLength(run.size(), grid.blocks()));
  if (!run.empty()) std::memcpy(out.data(), run.data(), run.size());
  return absl::OkStatus();
}

bool RawCodec::IsNarrow(int, const BlockGrid&, Bytes) const {
  return false;
}

absl::Status RawCodec::DecodeNarrowRun(Bytes, std::span<int8_t>) const {
  return MakeError(absl::StatusCode::kInternal, "NOT_NARROW", "raw: runs are never narrow");
}

}  // namespace freqstore
