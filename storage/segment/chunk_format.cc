#include "storage/segment/chunk_format.h"

#include <cassert>
#include <limits>

#include "fmt/format.h"
#include "storage/base/hash.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr std::string_view kMagic = "FQCH";
constexpr uint16_t kVersion = 1;
constexpr size_t kHeaderBytes = 32;
constexpr size_t kChecksumBytes = 8;

absl::Status DataLoss(std::string_view reason, std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, reason, message);
}

absl::Status Corrupt(std::string_view message) {
  return DataLoss("CORRUPT_CHUNK", message);
}

uint64_t SubstreamsOf(const ChunkHeader& header) {
  return (uint64_t{header.images} + header.images_per_substream - 1) / header.images_per_substream;
}

/// Splits the checksum off and compares it.
absl::StatusOr<Bytes> VerifyChecksum(Bytes chunk) {
  if (chunk.size() < kHeaderBytes + kChecksumBytes) return Corrupt("the chunk is shorter than its header");
  const Bytes content = chunk.first(chunk.size() - kChecksumBytes);
  const uint64_t stored = ByteReader(chunk.last(kChecksumBytes)).ReadLittleEndian<uint64_t>().value_or(0);
  if (stored != Checksum64(content))
    return DataLoss("CHECKSUM_MISMATCH", "the chunk's bytes do not have its checksum");
  return content;
}

absl::StatusOr<std::vector<uint32_t>> ReadOffsets(ByteReader& reader, uint64_t substreams,
                                                  uint32_t payload_bytes) {
  if (reader.remaining() != substreams * sizeof(uint32_t) + payload_bytes) {
    return Corrupt("the chunk's length is not what its header says");
  }
  std::vector<uint32_t> offsets(static_cast<size_t>(substreams) + 1, payload_bytes);
  for (size_t s = 0; s < substreams; ++s) offsets[s] = reader.ReadLittleEndian<uint32_t>().value_or(0);
  for (size_t s = 0; s < substreams; ++s) {
    if (offsets[s] > offsets[s + 1]) return Corrupt("the substreams' offsets do not ascend");
  }
  return offsets;
}

}  // namespace

std::string BuildChunk(const ChunkHeader& header, std::span<const uint32_t> substream_offsets,
                       std::string_view payload) {
  assert(substream_offsets.size() == SubstreamsOf(header));
  assert(payload.size() <= std::numeric_limits<uint32_t>::max());
  std::string chunk;
  chunk.reserve(kHeaderBytes + substream_offsets.size_bytes() + payload.size() + kChecksumBytes);
  chunk.append(kMagic);
  AppendLittleEndian(chunk, kVersion);
  AppendLittleEndian(chunk, static_cast<uint8_t>(header.codec));
  AppendLittleEndian(chunk, header.column.component);
  AppendLittleEndian(chunk, header.column.frequency);
  AppendLittleEndian(chunk, uint16_t{0});
  AppendLittleEndian(chunk, header.images_per_substream);
  AppendLittleEndian(chunk, header.images);
  AppendLittleEndian(chunk, static_cast<uint32_t>(payload.size()));
  AppendLittleEndian(chunk, header.values);
  for (uint32_t offset : substream_offsets) AppendLittleEndian(chunk, offset);
  chunk.append(payload);
  AppendLittleEndian(chunk, Checksum64(AsBytes(chunk)));
  return chunk;
}

absl::StatusOr<ParsedChunk> ParseChunk(Bytes chunk) {
  ByteReader front(chunk);
  const auto magic = front.ReadBytes(kMagic.size());
  const auto version = front.ReadLittleEndian<uint16_t>();
  if (!magic || !version || AsString(*magic) != kMagic)
    return Corrupt("not a chunk: it does not start with FQCH");
  if (*version != kVersion) {
    return DataLoss("UNKNOWN_VERSION",
                    fmt::format("the chunk has version {}; version {} is known", *version, kVersion));
  }
  ASSIGN_OR_RETURN(const Bytes content, VerifyChecksum(chunk));

  ByteReader reader(content.subspan(kMagic.size() + sizeof(kVersion)));
  const auto codec = reader.ReadLittleEndian<uint8_t>();
  const auto component = reader.ReadLittleEndian<uint8_t>();
  const auto frequency = reader.ReadLittleEndian<uint16_t>();
  const auto reserved = reader.ReadLittleEndian<uint16_t>();
  const auto images_per_substream = reader.ReadLittleEndian<uint32_t>();
  const auto images = reader.ReadLittleEndian<uint32_t>();
  const auto payload_bytes = reader.ReadLittleEndian<uint32_t>();
  const auto values = reader.ReadLittleEndian<uint64_t>();
  if (!codec || !component || !frequency || !reserved || !images_per_substream || !images || !payload_bytes ||
      !values) {
    return Corrupt("the chunk is shorter than its header");
  }
  if (*reserved != 0) return Corrupt("the chunk's reserved field is not zero");
  if (*images_per_substream == 0) return Corrupt("the chunk has no images a substream");

  ParsedChunk parsed;
  parsed.header = {.column = {*component, *frequency},
                   .codec = static_cast<CodecId>(*codec),
                   .images_per_substream = *images_per_substream,
                   .images = *images,
                   .values = *values};
  ASSIGN_OR_RETURN(parsed.substream_offsets,
                   ReadOffsets(reader, SubstreamsOf(parsed.header), *payload_bytes));
  parsed.payload = reader.rest();
  return parsed;
}

}  // namespace freqstore
