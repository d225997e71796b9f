// The bytes of a chunk around its substreams. Private to storage/segment; FORMAT.md, "Chunk", is the
// specification.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/codec/column.h"
#include "storage/codec/column_codec.h"

namespace freqstore {

struct ChunkHeader {
  ColumnId column;
  CodecId codec = CodecId::kRaw;  ///< may be unknown when parsed: FindCodec decides
  uint32_t images_per_substream = 1;
  uint32_t images = 0;  ///< of the segment, also those without the component
  uint64_t values = 0;  ///< in all substreams
};

struct ParsedChunk {
  ChunkHeader header;
  Bytes payload;                            ///< what the codec has in front, and the substreams
  std::vector<uint32_t> substream_offsets;  ///< into payload, ascending; one more than there are substreams

  Bytes head() const { return payload.first(substream_offsets.front()); }
};

/// `payload` holds what the codec has in front of the substreams, and those back to back; `substream_offsets`
/// tell where each starts.
std::string BuildChunk(const ChunkHeader& header, std::span<const uint32_t> substream_offsets,
                       std::string_view payload);

/// Checks everything that can be checked without decoding. Views into `chunk`. DATA_LOSS: CORRUPT_CHUNK,
/// UNKNOWN_VERSION, CHECKSUM_MISMATCH.
absl::StatusOr<ParsedChunk> ParseChunk(Bytes chunk);

}  // namespace freqstore
