// A JPEG file taken apart into its marker segments, without libjpeg and without decoding anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/base/dct.h"
#include "storage/jpeg/jpeg_limits.h"

namespace freqstore {

/// The second byte of a marker (ITU-T T.81, table B.1); the first is 0xff.
namespace marker {
inline constexpr uint8_t kTem = 0x01;
inline constexpr uint8_t kSof0 = 0xc0;
inline constexpr uint8_t kSof1 = 0xc1;
inline constexpr uint8_t kSof2 = 0xc2;
inline constexpr uint8_t kDht = 0xc4;
inline constexpr uint8_t kJpg = 0xc8;
inline constexpr uint8_t kDac = 0xcc;
inline constexpr uint8_t kSof15 = 0xcf;
inline constexpr uint8_t kRst0 = 0xd0;
inline constexpr uint8_t kRst7 = 0xd7;
inline constexpr uint8_t kSoi = 0xd8;
inline constexpr uint8_t kEoi = 0xd9;
inline constexpr uint8_t kSos = 0xda;
inline constexpr uint8_t kDqt = 0xdb;
inline constexpr uint8_t kDnl = 0xdc;
inline constexpr uint8_t kDri = 0xdd;
inline constexpr uint8_t kApp0 = 0xe0;
inline constexpr uint8_t kApp1 = 0xe1;
}  // namespace marker

/// True for the start of a frame of any process: 0xc0..0xcf but DHT, JPG and DAC.
bool IsFrameMarker(uint8_t code);

bool IsRestartMarker(uint8_t code);

/// One marker and what belongs to it.
struct JpegSegment {
  uint8_t code = 0;
  bool has_length = false;  ///< false: the marker stands alone, `payload` is empty
  Bytes gap;      ///< what lies between the segment before and this marker's 0xff: fill bytes or garbage
  Bytes payload;  ///< what follows the length field
  Bytes entropy;  ///< of SOS: the entropy-coded data with its restart markers and stuffed bytes
};

/// Views into the file, which must outlive it.
///
/// The file is SOI, then of each segment the gap, 0xff, the code, the length field (payload size + 2,
/// big-endian; if has_length), the payload and the entropy-coded data, then the tail. The last segment is
/// EOI, or the file has none: then the tail holds what is no whole segment.
struct JpegFile {
  std::vector<JpegSegment> segments;
  Bytes tail;

  bool has_eoi() const { return !segments.empty() && segments.back().code == marker::kEoi; }
};

/// Takes `file` apart; in time linear in its size, with memory for `markers_max` segments at most.
/// Errors (RESOURCE_EXHAUSTED): LIMIT_MARKERS, LIMIT_SCANS, LIMIT_MARKER_BYTES. A file that does not start
/// with SOI is all tail.
absl::StatusOr<JpegFile> ParseJpegFile(Bytes file, const JpegLimits& limits);

/// The payload of SOF.
struct FrameHeader {
  struct Component {
    uint8_t id = 0;
    uint8_t h_samp = 0;
    uint8_t v_samp = 0;
    uint8_t quantiser = 0;  ///< slot of its quantisation table
  };
  uint8_t precision = 0;  ///< bits a sample
  uint16_t height = 0;
  uint16_t width = 0;
  std::vector<Component> components;
};

/// nullopt if the payload is not exactly a header.
std::optional<FrameHeader> ParseFrameHeader(Bytes payload);

/// The payload of SOS.
struct ScanHeader {
  struct Component {
    uint8_t id = 0;
    uint8_t dc_table = 0;  ///< slot of its Huffman table, 0..15
    uint8_t ac_table = 0;
  };
  std::array<Component, kComponentsMax> components;
  int component_count = 0;
  uint8_t spectral_start = 0;
  uint8_t spectral_end = 0;
  uint8_t approximation_high = 0;
  uint8_t approximation_low = 0;
};

/// nullopt if the payload is not exactly a header of 1 to 4 components.
std::optional<ScanHeader> ParseScanHeader(Bytes payload);

/// The number of lines that a DNL marker right behind the first scan gives; nullopt if there is none or it is
/// 0.
std::optional<uint16_t> FindNumberOfLines(const JpegFile& file);

}  // namespace freqstore
