#include "storage/codec/bp32_codec.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

#include "storage/base/status.h"
#include "storage/codec/bp32_exceptions.h"
#include "storage/codec/dc_prediction.h"

namespace freqstore {
namespace {

size_t GroupsOf(uint64_t values) {
  return static_cast<size_t>((values + kBp32GroupValues - 1) / kBp32GroupValues);
}
size_t WidthBytes(size_t groups) {
  return (groups + 1) / 2;
}
size_t CountBytes(size_t groups) {
  return (groups + 3) / 4;
}

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK", message);
}

struct Run {
  size_t groups;
  const uint8_t* widths;
  const uint8_t* counts;
  Bytes packed;
  Bytes exceptions;
};

bool SpareBitsAreZero(const Run& run) {
  const bool has_spare_width = run.groups % 2 != 0;
  if (has_spare_width && run.widths[run.groups / 2] >> 4 != 0) return false;
  const size_t counts_in_last_byte = run.groups % 4;
  return counts_in_last_byte == 0 || run.counts[run.groups / 4] >> (2 * counts_in_last_byte) == 0;
}

absl::StatusOr<Run> ParseRun(const Bp32Kernels& kernels, size_t values, Bytes bytes) {
  Run run{.groups = GroupsOf(values), .widths = nullptr, .counts = nullptr, .packed = {}, .exceptions = {}};
  const size_t front = WidthBytes(run.groups) + CountBytes(run.groups);
  if (bytes.size() < front) return Corrupt("bp32: the widths of an image are cut off");
  run.widths = bytes.data();
  run.counts = bytes.data() + WidthBytes(run.groups);
  if (!SpareBitsAreZero(run)) return Corrupt("bp32: a spare width or count is not zero");
  const Bp32Lengths lengths = kernels.lengths(run.widths, run.counts, run.groups);
  if (bytes.size() - front != lengths.packed_bytes + lengths.exceptions)
    return Corrupt("bp32: an image has not as many bytes as its widths and counts promise");
  run.packed = bytes.subspan(front, lengths.packed_bytes);
  run.exceptions = bytes.subspan(front + lengths.packed_bytes);
  return run;
}

bool FitInt8(std::span<const int16_t> values) {
  int16_t least = 0;
  int16_t greatest = 0;
  for (int16_t value : values) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  return least >= std::numeric_limits<int8_t>::min() && greatest <= std::numeric_limits<int8_t>::max();
}

}  // namespace

bool Bp32Codec::EncodeRun(int frequency, const BlockGrid& grid, std::span<const int16_t> values,
                          std::string& out) const {
  assert(values.size() == grid.blocks());
  thread_local std::vector<int16_t> residuals;
  std::span<const int16_t> coded = values;
  if (frequency == 0) {
    residuals.resize(values.size());
    PredictDc(grid, values, residuals);
    coded = residuals;
  }
  const size_t groups = GroupsOf(coded.size());
  const size_t front = WidthBytes(groups) + CountBytes(groups);
  const size_t begin = out.size();

  out.resize(begin + front);
  auto* widths = reinterpret_cast<uint8_t*>(out.data() + begin);
  uint8_t* counts = widths + WidthBytes(groups);
  const Bp32Lengths lengths = kernels_.measure(coded.data(), coded.size(), widths, counts);

  out.resize(begin + front + lengths.packed_bytes + lengths.exceptions + kBp32PackSlack);
  widths = reinterpret_cast<uint8_t*>(out.data() + begin);
  counts = widths + WidthBytes(groups);
  // Packing writes a little beyond its end, so exceptions are put down aside.
  thread_local std::vector<uint8_t> exceptions;
  exceptions.resize(lengths.exceptions);
  kernels_.pack(coded.data(), coded.size(), widths, counts, widths + front, exceptions.data());
  std::copy(exceptions.begin(), exceptions.end(), widths + front + lengths.packed_bytes);
  out.resize(begin + front + lengths.packed_bytes + lengths.exceptions);
  return frequency != 0 && FitInt8(values);
}

absl::Status Bp32Codec::DecodeNarrowRun(Bytes bytes, std::span<int8_t> out) const {
  ASSIGN_OR_RETURN(const Run run, ParseRun(kernels_, out.size(), bytes));
  if (kernels_.width_max(run.widths, run.groups) > kBp32NarrowWidth)
    return Corrupt("bp32: a run that is said to be narrow is not");
  kernels_.unpack_narrow(run.widths, run.packed.data(), run.packed.size(), out.size(), out.data());
  if (!ApplyBp32Exceptions(run.widths, run.counts, run.exceptions, out))
    return Corrupt("bp32: an exception is not of a value of its image");
  return absl::OkStatus();
}

absl::Status Bp32Codec::DecodeRun(int frequency, const BlockGrid& grid, Bytes bytes,
                                  std::span<int16_t> out) const {
  assert(out.size() == grid.blocks());
  ASSIGN_OR_RETURN(const Run run, ParseRun(kernels_, out.size(), bytes));
  kernels_.unpack(run.widths, run.packed.data(), run.packed.size(), out.size(), out.data());
  if (!ApplyBp32Exceptions(run.widths, run.counts, run.exceptions, out))
    return Corrupt("bp32: an exception is not of a value of its image");
  if (frequency == 0 && !out.empty())
    kernels_.undo_prediction(out.data(), grid.width_blocks, grid.height_blocks);
  return absl::OkStatus();
}

uint64_t Bp32Codec::BytesMin(uint64_t values) const {
  const size_t groups = GroupsOf(values);
  return WidthBytes(groups) + CountBytes(groups);
}

}  // namespace freqstore
