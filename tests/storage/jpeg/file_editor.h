// Changes to JPEG files that no encoder makes.
#pragma once

#include <cstdint>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "storage/jpeg/jpeg_markers.h"

namespace freqstore::testutil {

/// A marker segment: 0xff, `code`, its length and `payload`.
inline std::string Segment(uint8_t code, const std::string& payload) {
  std::string bytes = {'\xff', static_cast<char>(code)};
  AppendBigEndian(bytes, static_cast<uint16_t>(payload.size() + 2));
  return bytes + payload;
}

inline std::string Marker(uint8_t code) {
  return {'\xff', static_cast<char>(code)};
}

/// Where the marker `code` starts, at `from` or later; the last one if `last`.
inline size_t FindMarker(const std::string& file, uint8_t code, size_t from = 0, bool last = false) {
  const std::string marker = Marker(code);
  const size_t position = last ? file.rfind(marker) : file.find(marker, from);
  REQUIRE(position != std::string::npos);
  return position;
}

/// Where EOI starts.
inline size_t FindEnd(const std::string& file) {
  return FindMarker(file, marker::kEoi, 0, true);
}

inline std::string InsertBefore(std::string file, uint8_t code, const std::string& bytes, bool last = false) {
  return file.insert(FindMarker(file, code, 0, last), bytes);
}

/// The bytes of the first marker segment `code`.
inline std::string SegmentOf(const std::string& file, uint8_t code, size_t from = 0) {
  const size_t start = FindMarker(file, code, from);
  const auto length =
      static_cast<size_t>(static_cast<uint8_t>(file[start + 2]) << 8 | static_cast<uint8_t>(file[start + 3]));
  return file.substr(start, 2 + length);
}

/// Where the frame's first byte (0xff) is, of a baseline, extended or progressive file.
inline size_t FindFrame(const std::string& file) {
  for (const uint8_t code : {marker::kSof0, marker::kSof1, marker::kSof2}) {
    const size_t position = file.find(Marker(code));
    if (position != std::string::npos) return position;
  }
  FAIL("no frame");
  return 0;
}

inline std::string WithFrameSize(std::string file, int width, int height) {
  const size_t frame = FindFrame(file);
  file[frame + 5] = static_cast<char>(height >> 8);
  file[frame + 6] = static_cast<char>(height & 0xff);
  file[frame + 7] = static_cast<char>(width >> 8);
  file[frame + 8] = static_cast<char>(width & 0xff);
  return file;
}

}  // namespace freqstore::testutil
