#include "storage/jpeg/marker_abbreviation.h"

#include <string_view>

#include "storage/jpeg/jpeg_markers.h"
#include "storage/jpeg/usual_coding.h"

namespace freqstore {
namespace {

void AppendByte(std::string& out, size_t byte) {
  out.push_back(static_cast<char>(byte));
}

// JFIF
constexpr std::string_view kJfifSignature("JFIF\0\1", 6);
constexpr std::string_view kUsualDensity("\0\0\1\0\1", 5);  // units, horizontal, vertical: square pixels
constexpr std::string_view kNoThumbnail("\0\0", 2);
constexpr uint8_t kJfifVersion102 = 0x20;  // else 1.01
constexpr uint8_t kJfifUsualDensity = 0x40;

// DQT
constexpr size_t kSourceShift = 4;  // of a table's byte: precision and slot below
constexpr size_t kSourceListed = 4;

// SOF
constexpr uint8_t kFrameHeightZero = 0x20;
constexpr uint8_t kFrameUsualSlots = 0x40;
constexpr uint8_t kFrameLoneSampling = 0x80;
constexpr uint8_t kSamplePrecision = 8;

}  // namespace

std::optional<Abbreviation> AbbreviateJfif(Bytes payload) {
  const std::string_view text = AsString(payload);
  if (text.size() != 14 || !text.starts_with(kJfifSignature) || !text.ends_with(kNoThumbnail))
    return std::nullopt;
  Abbreviation result;
  const uint8_t minor_version = payload[6];
  if (minor_version != 1 && minor_version != 2) return std::nullopt;
  if (minor_version == 2) result.flags |= kJfifVersion102;
  if (text.substr(7, 5) == kUsualDensity) {
    result.flags |= kJfifUsualDensity;
  } else {
    result.bytes = text.substr(7, 5);
  }
  return result;
}

std::optional<std::string> ExpandJfif(uint8_t flags, ByteReader& reader) {
  std::string payload(kJfifSignature);
  AppendByte(payload, (flags & kJfifVersion102) != 0 ? 2 : 1);
  if ((flags & kJfifUsualDensity) != 0) {
    payload += kUsualDensity;
  } else {
    const std::optional<Bytes> density = reader.ReadBytes(kUsualDensity.size());
    if (!density) return std::nullopt;
    payload += AsString(*density);
  }
  payload += kNoThumbnail;
  return payload;
}

std::optional<Abbreviation> AbbreviateQuantisers(Bytes payload, const ImageGeometry& geometry) {
  Abbreviation result;
  ByteReader reader(payload);
  size_t tables = 0;
  for (; reader.remaining() > 0; ++tables) {
    const uint8_t target = *reader.ReadLittleEndian<uint8_t>();
    const size_t wide = target >> 4;
    const size_t slot = target & 15;
    const std::optional<Bytes> steps =
        reader.ReadBytes(wide == 0 ? size_t{kFrequencies} : 2 * size_t{kFrequencies});
    if (wide > 1 || slot > 3 || !steps) return std::nullopt;
    size_t source = 0;
    for (; source < geometry.components.size(); ++source) {
      const auto& quant = geometry.components[source].quant;
      size_t z = 0;
      while (z < kFrequencies &&
             quant[z] == (wide == 0 ? (*steps)[z] : (*steps)[2 * z] << 8 | (*steps)[2 * z + 1])) {
        ++z;
      }
      if (z == kFrequencies) break;
    }
    const bool listed = source == geometry.components.size();
    AppendByte(result.bytes, (listed ? kSourceListed : source) << kSourceShift | wide << 2 | slot);
    if (listed) result.bytes += AsString(*steps);
  }
  if (tables > 255) return std::nullopt;
  result.bytes.insert(result.bytes.begin(), static_cast<char>(tables));
  return result;
}

std::optional<std::string> ExpandQuantisers(ByteReader& reader, const ImageGeometry& geometry) {
  const std::optional<uint8_t> tables = reader.ReadLittleEndian<uint8_t>();
  if (!tables) return std::nullopt;
  std::string payload;
  for (int i = 0; i < *tables; ++i) {
    const std::optional<uint8_t> head = reader.ReadLittleEndian<uint8_t>();
    if (!head || *head >> kSourceShift > kSourceListed || (*head & 8) != 0) return std::nullopt;
    const size_t source = *head >> kSourceShift;
    const bool wide = (*head & 4) != 0;
    AppendByte(payload, (wide ? 16u : 0u) | (*head & 3u));
    if (source == kSourceListed) {
      const std::optional<Bytes> steps = reader.ReadBytes(wide ? 2 * kFrequencies : kFrequencies);
      if (!steps) return std::nullopt;
      payload += AsString(*steps);
      continue;
    }
    if (source >= geometry.components.size()) return std::nullopt;
    for (const uint16_t step : geometry.components[source].quant) {
      if (wide) AppendByte(payload, step >> 8);
      AppendByte(payload, step);
    }
  }
  return payload;
}

std::optional<Abbreviation> AbbreviateFrame(Bytes payload, const ImageGeometry& geometry) {
  const std::optional<FrameHeader> frame = ParseFrameHeader(payload);
  if (!frame || frame->components.size() != geometry.components.size()) return std::nullopt;
  Abbreviation result;
  if (frame->height == 0) result.flags |= kFrameHeightZero;
  bool usual = true;
  for (size_t c = 0; c < frame->components.size(); ++c) {
    const FrameHeader::Component& component = frame->components[c];
    usual = usual && component.id == UsualId(geometry, c) && component.quantiser == UsualSlot(geometry, c);
    AppendByte(result.bytes, component.id);
    AppendByte(result.bytes, component.quantiser);
  }
  if (usual) {
    result.flags |= kFrameUsualSlots;
    result.bytes.clear();
  }
  const FrameHeader::Component& first = frame->components[0];
  if (frame->components.size() == 1 && (first.h_samp != 1 || first.v_samp != 1)) {
    result.flags |= kFrameLoneSampling;
    AppendByte(result.bytes, static_cast<size_t>(first.h_samp << 4 | first.v_samp));
  }
  ByteReader reader(AsBytes(result.bytes));
  if (ExpandFrame(result.flags, reader, geometry) != AsString(payload)) return std::nullopt;
  return result;
}

std::optional<std::string> ExpandFrame(uint8_t flags, ByteReader& reader, const ImageGeometry& geometry) {
  const size_t count = geometry.components.size();
  const bool usual = (flags & kFrameUsualSlots) != 0;
  const std::optional<Bytes> slots = reader.ReadBytes(usual ? 0 : 2 * count);
  if (!slots) return std::nullopt;
  std::optional<uint8_t> lone_sampling;
  if ((flags & kFrameLoneSampling) != 0) {
    lone_sampling = reader.ReadLittleEndian<uint8_t>();
    if (!lone_sampling || count != 1) return std::nullopt;
  }

  std::string payload;
  AppendByte(payload, kSamplePrecision);
  const uint32_t height = (flags & kFrameHeightZero) != 0 ? 0 : geometry.height;
  AppendBigEndian(payload, static_cast<uint16_t>(height));
  AppendBigEndian(payload, static_cast<uint16_t>(geometry.width));
  AppendByte(payload, count);
  for (size_t c = 0; c < count; ++c) {
    const ComponentGeometry& component = geometry.components[c];
    AppendByte(payload, usual ? UsualId(geometry, c) : (*slots)[2 * c]);
    AppendByte(payload, lone_sampling ? *lone_sampling
                                      : static_cast<size_t>(component.h_samp << 4 | component.v_samp));
    AppendByte(payload, usual ? UsualSlot(geometry, c) : (*slots)[2 * c + 1]);
  }
  return payload;
}

}  // namespace freqstore
