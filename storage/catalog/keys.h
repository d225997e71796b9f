// Keys of the catalog, delta, envelopes and rows families. FORMAT: a tag byte (catalog only), then big-endian
// numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace freqstore::keys {

std::string StoreMeta();
std::string Dataset(std::string_view name);
std::string DatasetPrefix();
std::string Segment(uint32_t dataset, uint64_t segment);
std::string SegmentPrefix(uint32_t dataset);
std::string ImageTable(uint32_t dataset, uint64_t segment);
std::string ImageTablePrefix(uint32_t dataset);
std::string Model(std::string_view name);
std::string ModelPrefix();
std::string ModelFile(std::string_view name);

/// Delta: dataset u32, kind u8, row u64. Heads lie together, so that listing the delta does not read the
/// images.
enum class DeltaKind : uint8_t { kHead = 0, kChunks = 1, kOriginal = 2 };
std::string Delta(uint32_t dataset, DeltaKind kind, uint64_t row);
std::string DeltaPrefix(uint32_t dataset, DeltaKind kind);
std::optional<uint64_t> DeltaRowOf(std::string_view key);

/// Envelopes: dataset u32, segment u64. All envelopes of the segment are one value.
std::string EnvelopeBlock(uint32_t dataset, uint64_t segment);
/// The same, and ordinal u32: an original file that is kept whole.
std::string KeptFile(uint32_t dataset, uint64_t segment, uint32_t ordinal);
/// The keys of a segment in envelopes and in columns start with this: dataset u32, segment u64.
std::string SegmentRows(uint32_t dataset, uint64_t segment);
/// The segment of a key in envelopes or columns.
std::optional<uint64_t> SegmentOf(std::string_view key);

/// Rows: dataset u32, image_id.
std::string ImageId(uint32_t dataset, std::string_view image_id);
std::string_view ImageIdOf(std::string_view key);

/// Every key of a dataset in delta, envelopes, columns and rows starts with this.
std::string DatasetRows(uint32_t dataset);

}  // namespace freqstore::keys
