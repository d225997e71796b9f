#include "storage/jpeg/exif_orientation.h"

#include <algorithm>
#include <string_view>

namespace freqstore {
namespace {

constexpr std::string_view kExifSignature("Exif\0\0", 6);
constexpr uint16_t kTiffMagic = 42;
constexpr uint16_t kOrientationTag = 0x0112;
constexpr uint16_t kTypeShort = 3;
constexpr uint16_t kTypeLong = 4;

/// A TIFF stream's integers, in the byte order that its header names.
class TiffReader {
 public:
  TiffReader(Bytes bytes, bool big_endian) : reader_(bytes), big_endian_(big_endian) {}

  template <typename T>
  std::optional<T> Read() {
    return big_endian_ ? reader_.ReadBigEndian<T>() : reader_.ReadLittleEndian<T>();
  }

 private:
  ByteReader reader_;
  bool big_endian_;
};

uint8_t ValidOrDefault(uint32_t orientation) {
  return orientation >= 1 && orientation <= 8 ? static_cast<uint8_t>(orientation) : uint8_t{1};
}

std::optional<uint8_t> FindOrientation(TiffReader ifd) {
  const std::optional<uint16_t> entries = ifd.Read<uint16_t>();
  for (uint32_t i = 0; i < entries.value_or(0); ++i) {
    const auto tag = ifd.Read<uint16_t>();
    const auto type = ifd.Read<uint16_t>();
    const auto count = ifd.Read<uint32_t>();
    // A value of at most four bytes stands at the front of the last field.
    const auto first_half = ifd.Read<uint16_t>();
    const auto second_half = ifd.Read<uint16_t>();
    if (!tag || !type || !count || !first_half || !second_half) return std::nullopt;
    if (*tag != kOrientationTag) continue;
    if (*type == kTypeShort) return ValidOrDefault(*first_half);
    // Some writers use a 32-bit value: one of its halves is zero, whatever the byte order.
    if (*type == kTypeLong) return ValidOrDefault(uint32_t{*first_half} | *second_half);
    return uint8_t{1};
  }
  return std::nullopt;
}

}  // namespace

std::optional<uint8_t> ParseExifOrientation(Bytes app1) {
  if (!AsString(app1).starts_with(kExifSignature)) return std::nullopt;
  const Bytes tiff = app1.subspan(kExifSignature.size());
  const std::string_view byte_order = AsString(tiff.first(std::min<size_t>(tiff.size(), 2)));
  if (byte_order != "II" && byte_order != "MM") return std::nullopt;
  const bool big_endian = byte_order == "MM";

  TiffReader header(tiff.subspan(2), big_endian);
  const auto magic = header.Read<uint16_t>();
  const auto ifd_offset = header.Read<uint32_t>();
  if (magic != kTiffMagic || !ifd_offset || *ifd_offset > tiff.size()) return std::nullopt;
  return FindOrientation(TiffReader(tiff.subspan(*ifd_offset), big_endian));
}

}  // namespace freqstore
