#include "storage/jpeg/jpeg_markers.h"

#include <algorithm>
#include <cstring>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr uint8_t kMarkerPrefix = 0xff;

absl::Status LimitError(std::string_view reason, std::string_view what, uint64_t limit) {
  return MakeError(absl::StatusCode::kResourceExhausted, reason,
                   fmt::format("the file has more than {} {}, which is the limit", limit, what));
}

size_t FindPrefix(Bytes file, size_t from) {
  const void* found = std::memchr(file.data() + from, kMarkerPrefix, file.size() - from);
  return found == nullptr ? file.size()
                          : static_cast<size_t>(static_cast<const uint8_t*>(found) - file.data());
}

/// The prefix byte of the next marker at or after `from`, or the file's size. A zero after prefixes is no
/// code.
size_t FindMarker(Bytes file, size_t from) {
  size_t at = FindPrefix(file, from);
  while (at + 1 < file.size()) {
    const uint8_t code = file[at + 1];
    if (code == kMarkerPrefix) {
      ++at;
    } else if (code == 0) {
      at = FindPrefix(file, at + 2);
    } else {
      return at;
    }
  }
  return file.size();
}

/// Where entropy-coded data that begin at `from` end: at a marker that is no restart, less the fill bytes
/// before it.
size_t FindEntropyEnd(Bytes file, size_t from) {
  size_t at = from;
  while (true) {
    at = FindMarker(file, at);
    if (at == file.size()) return at;
    if (!IsRestartMarker(file[at + 1])) break;
    at += 2;
  }
  while (at > from && file[at - 1] == kMarkerPrefix) --at;
  return at;
}

bool StandsAlone(uint8_t code) {
  return IsRestartMarker(code) || code == marker::kTem || code == marker::kSoi || code == marker::kEoi;
}

}  // namespace

bool IsFrameMarker(uint8_t code) {
  return code >= marker::kSof0 && code <= marker::kSof15 && code != marker::kDht && code != marker::kJpg &&
         code != marker::kDac;
}

bool IsRestartMarker(uint8_t code) {
  return code >= marker::kRst0 && code <= marker::kRst7;
}

absl::StatusOr<JpegFile> ParseJpegFile(Bytes file, const JpegLimits& limits) {
  JpegFile parsed;
  parsed.tail = file;
  if (file.size() < 2 || file[0] != kMarkerPrefix || file[1] != marker::kSoi) return parsed;

  size_t at = 2;
  uint64_t entropy_bytes = 0;
  uint32_t scans = 0;
  while (!parsed.has_eoi()) {
    const size_t prefix = FindMarker(file, at);
    if (prefix == file.size()) break;
    JpegSegment segment;
    segment.code = file[prefix + 1];
    segment.gap = file.subspan(at, prefix - at);
    size_t end = prefix + 2;
    if (!StandsAlone(segment.code)) {
      if (file.size() - end < 2) break;
      const size_t length = static_cast<size_t>(file[end]) << 8 | file[end + 1];
      if (length > file.size() - end) break;
      // A length below 2 is none: what it stands for becomes garbage before the next marker.
      segment.has_length = length >= 2;
      if (segment.has_length) {
        segment.payload = file.subspan(end + 2, length - 2);
        end += length;
      }
    }
    if (segment.code == marker::kSos) {
      if (++scans > limits.scans_max) return LimitError("LIMIT_SCANS", "scans", limits.scans_max);
      segment.entropy = file.subspan(end, FindEntropyEnd(file, end) - end);
      end += segment.entropy.size();
      entropy_bytes += segment.entropy.size();
    }
    if (parsed.segments.size() == limits.markers_max)
      return LimitError("LIMIT_MARKERS", "markers", limits.markers_max);
    parsed.segments.push_back(segment);
    at = end;
    if (at - entropy_bytes > limits.marker_bytes_max)
      return LimitError("LIMIT_MARKER_BYTES", "bytes of markers", limits.marker_bytes_max);
  }
  parsed.tail = file.subspan(at);
  return parsed;
}

std::optional<FrameHeader> ParseFrameHeader(Bytes payload) {
  if (payload.size() < 6 || payload.size() != 6 + size_t{3} * payload[5]) return std::nullopt;
  FrameHeader frame;
  frame.precision = payload[0];
  frame.height = static_cast<uint16_t>(payload[1] << 8 | payload[2]);
  frame.width = static_cast<uint16_t>(payload[3] << 8 | payload[4]);
  for (size_t at = 6; at < payload.size(); at += 3) {
    frame.components.push_back({.id = payload[at],
                                .h_samp = static_cast<uint8_t>(payload[at + 1] >> 4),
                                .v_samp = static_cast<uint8_t>(payload[at + 1] & 15),
                                .quantiser = payload[at + 2]});
  }
  return frame;
}

std::optional<ScanHeader> ParseScanHeader(Bytes payload) {
  if (payload.empty() || payload[0] < 1 || payload[0] > kComponentsMax) return std::nullopt;
  ScanHeader scan;
  scan.component_count = payload[0];
  if (payload.size() != 4 + size_t{2} * payload[0]) return std::nullopt;
  for (size_t c = 0; c < payload[0]; ++c) {
    const uint8_t tables = payload[2 + 2 * c];
    scan.components[c] = {.id = payload[1 + 2 * c],
                          .dc_table = static_cast<uint8_t>(tables >> 4),
                          .ac_table = static_cast<uint8_t>(tables & 15)};
  }
  const Bytes progression = payload.last(3);
  scan.spectral_start = progression[0];
  scan.spectral_end = progression[1];
  scan.approximation_high = progression[2] >> 4;
  scan.approximation_low = progression[2] & 15;
  return scan;
}

std::optional<uint16_t> FindNumberOfLines(const JpegFile& file) {
  const auto scan = std::find_if(file.segments.begin(), file.segments.end(),
                                 [](const JpegSegment& segment) { return segment.code == marker::kSos; });
  if (scan == file.segments.end() || scan + 1 == file.segments.end()) return std::nullopt;
  const JpegSegment& next = *(scan + 1);
  if (next.code != marker::kDnl || next.payload.size() != 2) return std::nullopt;
  const auto lines = static_cast<uint16_t>(next.payload[0] << 8 | next.payload[1]);
  if (lines == 0) return std::nullopt;
  return lines;
}

}  // namespace freqstore
