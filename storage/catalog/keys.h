// Keys of the catalog, delta, envelopes, rows and attributes families. FORMAT: a tag byte (catalog only),
// then big-endian numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freqstore::keys {

std::string StoreMeta();
std::string Dataset(std::string_view name);
std::string DatasetPrefix();
std::string Segment(uint32_t dataset, uint64_t segment);
std::string SegmentPrefix(uint32_t dataset);
std::string ImageTable(uint32_t dataset, uint64_t segment);
std::string ImageTablePrefix(uint32_t dataset);
std::string SegmentState(uint32_t dataset, uint64_t segment);
std::string SegmentStatePrefix(uint32_t dataset);
/// Content: dataset u32, SHA-256. The value is the image_id that had this content first.
std::string Content(uint32_t dataset, std::string_view sha256);
/// Garbage: dataset u32, segment u64; a segment that was removed and may still be on disk.
std::string Garbage(uint32_t dataset, uint64_t segment);
std::string GarbagePrefix(uint32_t dataset);
std::optional<uint64_t> GarbageSegmentOf(std::string_view key);
/// Deletions: dataset u32, deletion u64; those of which something is still on disk, and the others.
std::string PendingDeletion(uint32_t dataset, uint64_t deletion);
std::string PendingDeletionPrefix(uint32_t dataset);
std::string PurgedDeletion(uint32_t dataset, uint64_t deletion);
std::string PurgedDeletionPrefix(uint32_t dataset);
/// Every key of a dataset in the catalog, but for that of the dataset itself, starts with one of these.
std::vector<std::string> DatasetPrefixes(uint32_t dataset);
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
/// Attributes: dataset u32, segment u64, attribute u32.
std::string AttributeColumn(uint32_t dataset, uint64_t segment, uint32_t attribute);
std::optional<uint32_t> AttributeOf(std::string_view key);
/// The keys of a segment in envelopes, columns and attributes start with this: dataset u32, segment u64.
std::string SegmentRows(uint32_t dataset, uint64_t segment);
/// The segment of a key in envelopes, columns or attributes.
std::optional<uint64_t> SegmentOf(std::string_view key);

/// Rows: dataset u32, image_id.
std::string ImageId(uint32_t dataset, std::string_view image_id);
std::string_view ImageIdOf(std::string_view key);

/// Every key of a dataset in delta, envelopes, columns, rows and attributes starts with this.
std::string DatasetRows(uint32_t dataset);

}  // namespace freqstore::keys
