// Markers to bytes.
#pragma once

#include "storage/jpeg/bit_writer.h"
#include "storage/jpeg/jpeg_recipe.h"

namespace freqstore {

/// SOI.
inline void WriteStart(BitWriter& out) {
  constexpr uint8_t kStart[] = {0xff, marker::kSoi};
  out.WriteBytes(kStart);
}

/// A segment's gap, marker, length and payload, but no entropy-coded data. The tables of DHT must be known.
inline void WriteMarker(const RecipeSegment& segment, BitWriter& out) {
  std::string bytes(AsString(segment.gap));
  bytes.push_back('\xff');
  bytes.push_back(static_cast<char>(segment.code));
  if (segment.has_length) {
    const std::string tables = segment.code == marker::kDht ? HuffmanPayload(segment.tables) : std::string();
    const std::string_view payload = segment.code == marker::kDht ? tables : AsString(segment.payload);
    AppendBigEndian(bytes, static_cast<uint16_t>(payload.size() + 2));
    bytes += payload;
  }
  out.WriteBytes(AsBytes(bytes));
}

}  // namespace freqstore
