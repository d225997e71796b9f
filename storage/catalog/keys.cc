#include "storage/catalog/keys.h"

#include "storage/base/coding.h"

namespace freqstore::keys {
namespace {

constexpr char kStoreTag = 'a';
constexpr char kDatasetTag = 'd';
constexpr char kSegmentTag = 's';
constexpr char kImageTableTag = 't';
constexpr char kSegmentStateTag = 'u';
constexpr char kContentTag = 'h';
constexpr char kGarbageTag = 'g';
constexpr char kPendingDeletionTag = 'p';
constexpr char kPurgedDeletionTag = 'q';
constexpr char kModelTag = 'm';
constexpr char kModelFileTag = 'f';

std::string Tagged(char tag, std::string_view rest = {}) {
  std::string key(1, tag);
  key.append(rest);
  return key;
}

std::string Numbered(char tag, uint32_t dataset) {
  std::string key(1, tag);
  AppendBigEndian(key, dataset);
  return key;
}

std::string Numbered(char tag, uint32_t dataset, uint64_t segment) {
  std::string key = Numbered(tag, dataset);
  AppendBigEndian(key, segment);
  return key;
}

}  // namespace

std::string StoreMeta() {
  return Tagged(kStoreTag);
}
std::string Dataset(std::string_view name) {
  return Tagged(kDatasetTag, name);
}
std::string DatasetPrefix() {
  return Tagged(kDatasetTag);
}
std::string Segment(uint32_t dataset, uint64_t segment) {
  return Numbered(kSegmentTag, dataset, segment);
}
std::string SegmentPrefix(uint32_t dataset) {
  return Numbered(kSegmentTag, dataset);
}
std::string ImageTable(uint32_t dataset, uint64_t segment) {
  return Numbered(kImageTableTag, dataset, segment);
}
std::string ImageTablePrefix(uint32_t dataset) {
  return Numbered(kImageTableTag, dataset);
}
std::string SegmentState(uint32_t dataset, uint64_t segment) {
  return Numbered(kSegmentStateTag, dataset, segment);
}
std::string SegmentStatePrefix(uint32_t dataset) {
  return Numbered(kSegmentStateTag, dataset);
}
std::string Content(uint32_t dataset, std::string_view sha256) {
  std::string key = Numbered(kContentTag, dataset);
  key.append(sha256);
  return key;
}
std::string Garbage(uint32_t dataset, uint64_t segment) {
  return Numbered(kGarbageTag, dataset, segment);
}
std::string GarbagePrefix(uint32_t dataset) {
  return Numbered(kGarbageTag, dataset);
}
std::optional<uint64_t> GarbageSegmentOf(std::string_view key) {
  return SegmentOf(key.substr(1));
}
std::string PendingDeletion(uint32_t dataset, uint64_t deletion) {
  return Numbered(kPendingDeletionTag, dataset, deletion);
}
std::string PendingDeletionPrefix(uint32_t dataset) {
  return Numbered(kPendingDeletionTag, dataset);
}
std::string PurgedDeletion(uint32_t dataset, uint64_t deletion) {
  return Numbered(kPurgedDeletionTag, dataset, deletion);
}
std::string PurgedDeletionPrefix(uint32_t dataset) {
  return Numbered(kPurgedDeletionTag, dataset);
}
std::vector<std::string> DatasetPrefixes(uint32_t dataset) {
  std::vector<std::string> prefixes;
  for (const char tag : {kSegmentTag, kImageTableTag, kSegmentStateTag, kContentTag, kGarbageTag,
                         kPendingDeletionTag, kPurgedDeletionTag}) {
    prefixes.push_back(Numbered(tag, dataset));
  }
  return prefixes;
}
std::string Model(std::string_view name) {
  return Tagged(kModelTag, name);
}
std::string ModelPrefix() {
  return Tagged(kModelTag);
}
std::string ModelFile(std::string_view name) {
  return Tagged(kModelFileTag, name);
}

std::string DeltaPrefix(uint32_t dataset, DeltaKind kind) {
  std::string key = DatasetRows(dataset);
  key.push_back(static_cast<char>(kind));
  return key;
}

std::string Delta(uint32_t dataset, DeltaKind kind, uint64_t row) {
  std::string key = DeltaPrefix(dataset, kind);
  AppendBigEndian(key, row);
  return key;
}

std::optional<uint64_t> DeltaRowOf(std::string_view key) {
  ByteReader reader(AsBytes(key));
  if (!reader.ReadBytes(sizeof(uint32_t) + 1)) return std::nullopt;
  return reader.ReadBigEndian<uint64_t>();
}

std::string SegmentRows(uint32_t dataset, uint64_t segment) {
  std::string key = DatasetRows(dataset);
  AppendBigEndian(key, segment);
  return key;
}

std::string EnvelopeBlock(uint32_t dataset, uint64_t segment) {
  return SegmentRows(dataset, segment);
}

std::string KeptFile(uint32_t dataset, uint64_t segment, uint32_t ordinal) {
  std::string key = SegmentRows(dataset, segment);
  AppendBigEndian(key, ordinal);
  return key;
}

std::string AttributeColumn(uint32_t dataset, uint64_t segment, uint32_t attribute) {
  std::string key = SegmentRows(dataset, segment);
  AppendBigEndian(key, attribute);
  return key;
}

std::optional<uint32_t> AttributeOf(std::string_view key) {
  ByteReader reader(AsBytes(key));
  if (!reader.ReadBytes(sizeof(uint32_t) + sizeof(uint64_t))) return std::nullopt;
  return reader.ReadBigEndian<uint32_t>();
}

std::optional<uint64_t> SegmentOf(std::string_view key) {
  ByteReader reader(AsBytes(key));
  if (!reader.ReadBytes(sizeof(uint32_t))) return std::nullopt;
  return reader.ReadBigEndian<uint64_t>();
}

std::string ImageId(uint32_t dataset, std::string_view image_id) {
  std::string key = DatasetRows(dataset);
  key.append(image_id);
  return key;
}

std::string_view ImageIdOf(std::string_view key) {
  return key.substr(sizeof(uint32_t));
}

std::string DatasetRows(uint32_t dataset) {
  std::string key;
  AppendBigEndian(key, dataset);
  return key;
}

}  // namespace freqstore::keys
