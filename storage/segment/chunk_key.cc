#include "storage/segment/chunk_key.h"

namespace freqstore {

std::string EncodeChunkKey(const ChunkKey& key) {
  std::string bytes = ChunkKeyPrefix(key.dataset, key.segment);
  AppendBigEndian(bytes, key.column.component);
  AppendBigEndian(bytes, key.column.frequency);
  return bytes;
}

std::optional<ChunkKey> DecodeChunkKey(Bytes key) {
  ByteReader reader(key);
  const auto dataset = reader.ReadBigEndian<uint32_t>();
  const auto segment = reader.ReadBigEndian<uint64_t>();
  const auto component = reader.ReadBigEndian<uint8_t>();
  const auto frequency = reader.ReadBigEndian<uint16_t>();
  if (!dataset || !segment || !component || !frequency || reader.remaining() != 0) return std::nullopt;
  return ChunkKey{*dataset, *segment, {*component, *frequency}};
}

std::string ChunkKeyPrefix(uint32_t dataset, uint64_t segment) {
  std::string bytes;
  AppendBigEndian(bytes, dataset);
  AppendBigEndian(bytes, segment);
  return bytes;
}

}  // namespace freqstore
