#include "storage/segment/image_table.h"

#include <array>
#include <cassert>
#include <limits>
#include <map>

#include "fmt/format.h"
#include "freqstore/storage/v1/segment.pb.h"
#include "storage/base/hash.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

namespace proto = ::freqstore::storage::v1;

using Quantiser = std::array<uint16_t, kFrequencies>;

constexpr uint8_t kVersion = 1;
constexpr size_t kChecksumBytes = 8;
constexpr uint32_t kSideMax = 65535;
constexpr size_t kSha256Bytes = 32;

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_IMAGE_TABLE", message);
}

void FillRow(const ImageRecord& image, std::map<Quantiser, uint32_t>& quantisers, proto::ImageTable& table) {
  proto::ImageRow& row = *table.add_images();
  row.set_image_id(image.image_id);
  row.set_width(image.geometry.width);
  row.set_height(image.geometry.height);
  row.set_color(static_cast<proto::ColorModel>(image.geometry.color));
  row.set_orientation(image.geometry.orientation);
  for (const ComponentGeometry& component : image.geometry.components) {
    assert(component.grid == ExpectedGrid(image.geometry, component));
    const auto [entry, is_new] =
        quantisers.try_emplace(component.quant, static_cast<uint32_t>(quantisers.size()));
    if (is_new)
      table.add_quantisers()->mutable_steps()->Assign(component.quant.begin(), component.quant.end());
    proto::ComponentRow& out = *row.add_components();
    out.set_h_samp(component.h_samp);
    out.set_v_samp(component.v_samp);
    out.set_quantiser(entry->second);
  }
  row.set_progressive(image.progressive);
  row.set_truncated(image.truncated);
  row.set_warnings(image.warnings);
  row.set_quality(image.quality);
  row.set_file_bytes(image.file_bytes);
  row.set_sha256(image.sha256);
  row.set_import_time_us(image.import_time_us);
  row.set_keep_reason(static_cast<uint32_t>(image.keep_reason));
  row.set_duplicate_of(image.duplicate_of);
}

absl::StatusOr<std::vector<Quantiser>> ReadQuantisers(const proto::ImageTable& table) {
  std::vector<Quantiser> quantisers;
  for (const proto::Quantiser& source : table.quantisers()) {
    if (source.steps_size() != kFrequencies) return Corrupt("a quantiser does not have 64 steps");
    Quantiser& quantiser = quantisers.emplace_back();
    for (int z = 0; z < kFrequencies; ++z) {
      const uint32_t step = source.steps(z);
      if (step == 0 || step > std::numeric_limits<uint16_t>::max())
        return Corrupt("a quantiser step is out of range");
      quantiser[static_cast<size_t>(z)] = static_cast<uint16_t>(step);
    }
  }
  return quantisers;
}

absl::StatusOr<ImageGeometry> ReadGeometry(const proto::ImageRow& row,
                                           const std::vector<Quantiser>& quantisers) {
  const auto in_range = [](uint32_t value, uint32_t max) { return value >= 1 && value <= max; };
  if (!in_range(row.width(), kSideMax) || !in_range(row.height(), kSideMax))
    return Corrupt("a size is out of range");
  if (!in_range(row.orientation(), 8)) return Corrupt("an orientation is out of range");
  if (!in_range(static_cast<uint32_t>(row.color()), static_cast<uint32_t>(ColorModel::kAdobeYcck)))
    return Corrupt("a colour model is unknown");

  ImageGeometry geometry;
  geometry.width = row.width();
  geometry.height = row.height();
  geometry.color = static_cast<ColorModel>(row.color());
  geometry.orientation = static_cast<uint8_t>(row.orientation());
  if (static_cast<size_t>(row.components_size()) != ComponentCount(geometry.color)) {
    return Corrupt("the number of components is not that of the colour model");
  }
  for (const proto::ComponentRow& source : row.components()) {
    if (!in_range(source.h_samp(), 4) || !in_range(source.v_samp(), 4))
      return Corrupt("a sampling factor is out of range");
    if (source.quantiser() >= quantisers.size()) return Corrupt("a quantiser is missing");
    ComponentGeometry& component = geometry.components.emplace_back();
    component.h_samp = static_cast<uint8_t>(source.h_samp());
    component.v_samp = static_cast<uint8_t>(source.v_samp());
    component.quant = quantisers[source.quantiser()];
  }
  for (ComponentGeometry& component : geometry.components) component.grid = ExpectedGrid(geometry, component);
  return geometry;
}

absl::StatusOr<ImageRecord> ReadRow(const proto::ImageRow& row, const std::vector<Quantiser>& quantisers) {
  ImageRecord image;
  ASSIGN_OR_RETURN(image.geometry, ReadGeometry(row, quantisers));
  if (row.quality() > 100) return Corrupt("a quality is out of range");
  if (!row.sha256().empty() && row.sha256().size() != kSha256Bytes)
    return Corrupt("a SHA-256 does not have 32 bytes");
  image.image_id = row.image_id();
  image.progressive = row.progressive();
  image.truncated = row.truncated();
  image.warnings = row.warnings();
  image.quality = static_cast<uint8_t>(row.quality());
  image.file_bytes = row.file_bytes();
  image.sha256 = row.sha256();
  image.import_time_us = row.import_time_us();
  if (row.keep_reason() > std::numeric_limits<uint8_t>::max()) return Corrupt("a reason is out of range");
  image.keep_reason = static_cast<KeepReason>(row.keep_reason());
  image.duplicate_of = row.duplicate_of();
  return image;
}

}  // namespace

std::string EncodeImageTable(std::span<const ImageRecord> images) {
  proto::ImageTable table;
  std::map<Quantiser, uint32_t> quantisers;
  for (const ImageRecord& image : images) FillRow(image, quantisers, table);

  std::string bytes;
  AppendLittleEndian(bytes, kVersion);
  table.AppendToString(&bytes);
  AppendLittleEndian(bytes, Checksum64(AsBytes(bytes)));
  return bytes;
}

absl::StatusOr<std::vector<ImageRecord>> DecodeImageTable(Bytes bytes) {
  if (bytes.size() < sizeof(kVersion) + kChecksumBytes ||
      bytes.size() > std::numeric_limits<int32_t>::max()) {
    return Corrupt(fmt::format("{} bytes are not an image table", bytes.size()));
  }
  if (bytes.front() != kVersion) {
    return MakeError(
        absl::StatusCode::kDataLoss, "UNKNOWN_VERSION",
        fmt::format("the image table has version {}; version {} is known", bytes.front(), kVersion));
  }
  const Bytes content = bytes.first(bytes.size() - kChecksumBytes);
  const uint64_t stored = ByteReader(bytes.last(kChecksumBytes)).ReadLittleEndian<uint64_t>().value_or(0);
  if (stored != Checksum64(content)) return Corrupt("the image table's bytes do not have its checksum");

  proto::ImageTable table;
  const Bytes message = content.subspan(sizeof(kVersion));
  if (!table.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    return Corrupt("the image table is not a valid message");
  }
  ASSIGN_OR_RETURN(const std::vector<Quantiser> quantisers, ReadQuantisers(table));
  std::vector<ImageRecord> images;
  images.reserve(static_cast<size_t>(table.images_size()));
  for (const proto::ImageRow& row : table.images()) {
    ASSIGN_OR_RETURN(ImageRecord image, ReadRow(row, quantisers));
    images.push_back(std::move(image));
  }
  return images;
}

}  // namespace freqstore
