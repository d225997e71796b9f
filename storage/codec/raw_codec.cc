#include "storage/codec/raw_codec.h"

#include <bit>
#include <cassert>
#include <cstring>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {

static_assert(std::endian::native == std::endian::little, "values are copied as they are");

bool RawCodec::EncodeRun(int, [[maybe_unused]] const BlockGrid& grid, std::span<const int16_t> values,
                         std::string& out) const {
  assert(values.size() == grid.blocks());
  out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return false;
}

absl::Status RawCodec::DecodeRun(int, [[maybe_unused]] const BlockGrid& grid, Bytes run,
                                 std::span<int16_t> out) const {
  assert(out.size() == grid.blocks());
  if (run.size() != out.size_bytes()) {
    return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK",
                     fmt::format("raw: {} bytes for {} values of 2 bytes", run.size(), out.size()));
  }
  if (!run.empty()) std::memcpy(out.data(), run.data(), run.size());
  return absl::OkStatus();
}

absl::Status RawCodec::DecodeNarrowRun(Bytes, std::span<int8_t>) const {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK", "raw: a run is said to be narrow");
}

uint64_t RawCodec::BytesMin(uint64_t values) const {
  return values * sizeof(int16_t);
}

}  // namespace freqstore
