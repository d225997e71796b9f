#include "storage/segment/chunk_format.h"

#include <cassert>
#include <limits>

#include "fmt/format.h"
#include "storage/base/hash.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr std::string_view kMagic = "FQCH";
constexpr uint16_t kVersion = 2;
constexpr size_t kHeaderBytes = 32;
constexpr size_t kChecksumBytes = 8;
constexpr size_t kEntryBytes = 8;  // of the table: where a substream ends, and its checksum

absl::Status DataLoss(std::string_view reason, std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, reason, message);
}

absl::Status Corrupt(std::string_view message) {
  return DataLoss("CORRUPT_CHUNK", message);
}

uint32_t SubstreamChecksum(Bytes substream) {
  return static_cast<uint32_t>(Checksum64(substream));
}

uint32_t ReadU32(Bytes bytes, size_t offset) {
  return ByteReader(bytes.subspan(offset)).ReadLittleEndian<uint32_t>().value_or(0);
}

}  // namespace

std::string BuildChunk(const ChunkHeader& header, const ChunkContent& content) {
  assert(content.substream_ends.size() == header.substreams());
  assert(content.substreams.size() <= std::numeric_limits<uint32_t>::max());
  std::string chunk;
  chunk.reserve(kHeaderBytes + kEntryBytes * header.substreams() + content.head.size() + kChecksumBytes +
                content.substreams.size());
  chunk.append(kMagic);
  AppendLittleEndian(chunk, kVersion);
  AppendLittleEndian(chunk, static_cast<uint8_t>(header.codec));
  AppendLittleEndian(chunk, header.column.component);
  AppendLittleEndian(chunk, header.column.frequency);
  AppendLittleEndian(chunk, uint16_t{0});
  AppendLittleEndian(chunk, header.images_per_substream);
  AppendLittleEndian(chunk, header.images);
  AppendLittleEndian(chunk, static_cast<uint32_t>(content.head.size()));
  AppendLittleEndian(chunk, header.values);
  uint32_t begin = 0;
  for (uint32_t end : content.substream_ends) {
    AppendLittleEndian(chunk, end);
    AppendLittleEndian(chunk, SubstreamChecksum(AsBytes(content.substreams).subspan(begin, end - begin)));
    begin = end;
  }
  chunk.append(content.head);
  AppendLittleEndian(chunk, Checksum64(AsBytes(chunk)));
  chunk.append(content.substreams);
  return chunk;
}

absl::StatusOr<ParsedChunk> ParsedChunk::Parse(Bytes chunk) {
  ByteReader reader(chunk);
  const auto magic = reader.ReadBytes(kMagic.size());
  const auto version = reader.ReadLittleEndian<uint16_t>();
  if (!magic || !version || AsString(*magic) != kMagic)
    return Corrupt("not a chunk: it does not start with FQCH");
  if (*version != kVersion) {
    return DataLoss("UNKNOWN_VERSION",
                    fmt::format("the chunk has version {}; version {} is known", *version, kVersion));
  }
  const auto codec = reader.ReadLittleEndian<uint8_t>();
  const auto component = reader.ReadLittleEndian<uint8_t>();
  const auto frequency = reader.ReadLittleEndian<uint16_t>();
  const auto reserved = reader.ReadLittleEndian<uint16_t>();
  const auto images_per_substream = reader.ReadLittleEndian<uint32_t>();
  const auto images = reader.ReadLittleEndian<uint32_t>();
  const auto head_bytes = reader.ReadLittleEndian<uint32_t>();
  const auto values = reader.ReadLittleEndian<uint64_t>();
  if (!codec || !component || !frequency || !reserved || !images_per_substream || !images || !head_bytes ||
      !values) {
    return Corrupt("the chunk is shorter than its header");
  }
  if (*reserved != 0) return Corrupt("the chunk's reserved field is not zero");
  if (*images_per_substream == 0) return Corrupt("the chunk has no images a substream");

  ParsedChunk parsed;
  parsed.header_ = {.column = {*component, *frequency},
                    .codec = static_cast<CodecId>(*codec),
                    .images_per_substream = *images_per_substream,
                    .images = *images,
                    .values = *values};
  const uint32_t substreams = parsed.header_.substreams();
  const auto table = reader.ReadBytes(kEntryBytes * substreams);
  const auto head = reader.ReadBytes(*head_bytes);
  const auto checksum = reader.ReadLittleEndian<uint64_t>();
  if (!table || !head || !checksum) return Corrupt("the chunk is shorter than its header says");
  const size_t front_bytes = kHeaderBytes + table->size() + head->size();
  if (*checksum != Checksum64(chunk.first(front_bytes)))
    return DataLoss("CHECKSUM_MISMATCH", "the chunk's front does not have its checksum");
  parsed.table_ = *table;
  parsed.head_ = *head;
  parsed.substreams_ = reader.rest();

  uint32_t begin = 0;
  for (size_t s = 0; s < substreams; ++s) {
    if (parsed.EndOf(s) < begin) return Corrupt("the ends of the chunk's substreams do not ascend");
    begin = parsed.EndOf(s);
  }
  if (begin != parsed.substreams_.size())
    return Corrupt("the chunk does not end where its last substream does");
  return parsed;
}

uint32_t ParsedChunk::EndOf(size_t index) const {
  return ReadU32(table_, kEntryBytes * index);
}

absl::StatusOr<Bytes> ParsedChunk::Substream(size_t index) const {
  assert(index < header_.substreams());
  const uint32_t begin = index == 0 ? 0 : EndOf(index - 1);
  const Bytes substream = substreams_.subspan(begin, EndOf(index) - begin);
  if (SubstreamChecksum(substream) != ReadU32(table_, kEntryBytes * index + sizeof(uint32_t))) {
    return DataLoss("CHECKSUM_MISMATCH",
                    fmt::format("the bytes of substream {} do not have their checksum", index));
  }
  return substream;
}

}  // namespace freqstore
