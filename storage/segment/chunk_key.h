// Key of a chunk in the `columns` family: dataset u32, segment u64, component u8, frequency u16, big-endian.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "storage/base/coding.h"
#include "storage/codec/column.h"

namespace freqstore {

struct ChunkKey {
  uint32_t dataset = 0;
  uint64_t segment = 0;
  ColumnId column;
};

std::string EncodeChunkKey(const ChunkKey& key);
std::optional<ChunkKey> DecodeChunkKey(Bytes key);

/// The prefix of all chunks of a segment.
std::string ChunkKeyPrefix(uint32_t dataset, uint64_t segment);

}  // namespace freqstore
