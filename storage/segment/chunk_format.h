// The bytes of a chunk around its substreams. Private to storage/segment; FORMAT.md, "Chunk", is the
// specification.
#pragma once

#include <cstdint>
#include <span>
#include <string>
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

  uint32_t substreams() const {
    return static_cast<uint32_t>((uint64_t{images} + images_per_substream - 1) / images_per_substream);
  }
};

/// What a chunk holds beside its header.
struct ChunkContent {
  std::string head;                      ///< what the codec has in front of the substreams
  std::string substreams;                ///< back to back
  std::vector<uint32_t> substream_ends;  ///< where each ends in `substreams`
};

std::string BuildChunk(const ChunkHeader& header, const ChunkContent& content);

/// Views into a chunk whose header, table and head are sound. Its substreams are checked one by one, when
/// they are wanted.
class ParsedChunk {
 public:
  /// DATA_LOSS: CORRUPT_CHUNK, UNKNOWN_VERSION, CHECKSUM_MISMATCH.
  static absl::StatusOr<ParsedChunk> Parse(Bytes chunk);

  const ChunkHeader& header() const { return header_; }
  Bytes head() const { return head_; }

  /// The bytes of a substream. DATA_LOSS (CHECKSUM_MISMATCH) if they do not have their checksum.
  absl::StatusOr<Bytes> Substream(size_t index) const;

 private:
  ParsedChunk() = default;
  uint32_t EndOf(size_t index) const;

  ChunkHeader header_;
  Bytes table_;  ///< an entry a substream
  Bytes head_;
  Bytes substreams_;
};

}  // namespace freqstore
