// The numbers of the envelope format; ENVELOPE.md says what they mean. Private to storage/jpeg.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "storage/jpeg/jpeg_markers.h"
#include "storage/jpeg/jpeg_recipe.h"

namespace freqstore::envelope {

inline constexpr uint8_t kVersion = 1;

// A tag: kind, whether a gap comes before the marker, and flags of the kind.
enum Kind : uint8_t {
  kEnd = 0,
  kEoiAndEnd = 1,
  kVerbatim = 2,
  kBare = 3,
  kJfif = 4,
  kQuantisers = 5,
  kHuffman = 6,
  kFrame = 7,
  kScan = 8,
};
inline constexpr uint8_t kKindMask = 0x0f;
inline constexpr uint8_t kGapFlag = 0x10;
inline constexpr uint8_t kScanUsual = 0x20;
inline constexpr uint8_t kScanExceptions = 0x40;

// What a scan's exceptions are made of.
inline constexpr uint8_t kPaddingBitsMask = 0x03;
inline constexpr uint8_t kPaddingBlocksFlag = 0x04;
inline constexpr uint8_t kRunBreaksFlag = 0x08;
inline constexpr uint8_t kTailFlag = 0x10;
inline constexpr uint8_t kRestartsFlag = 0x20;
inline constexpr uint8_t kExceptionFlags = 0x3f;

// A value of a padding block: the high half of a byte how many zeros come before, the low half the value.
inline constexpr unsigned kPaddingSkipEscape = 15;  // the index follows
inline constexpr unsigned kPaddingValueBias = 8;
inline constexpr unsigned kPaddingValueEscape = 0;     // magnitude << 1 | sign follows
inline constexpr uint32_t kPaddingValueMax = 1 << 17;  // of that: values are differences of 16-bit ones

/// What expanding a marker depends on.
struct ExpansionContext {
  bool progressive = false;
  std::vector<uint8_t> ids;  ///< of the frame's components
  uint32_t scans = 0;

  void Add(const RecipeSegment& segment) {
    if (segment.code == marker::kSos) ++scans;
    if (!IsFrameMarker(segment.code)) return;
    progressive = segment.code == marker::kSof2;
    ids.clear();
    const std::optional<FrameHeader> frame = ParseFrameHeader(segment.payload);
    for (size_t c = 0; frame && c < frame->components.size(); ++c) ids.push_back(frame->components[c].id);
  }
};

}  // namespace freqstore::envelope
