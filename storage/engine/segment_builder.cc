#include "storage/engine/segment_builder.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/catalog/stored_layout.h"
#include "storage/engine/cluster.h"
#include "storage/engine/envelopes.h"
#include "storage/segment/chunk_key.h"
#include "storage/segment/segment_writer.h"

namespace freqstore {
namespace {

storage::v1::SegmentMeta MetaOf(uint64_t segment_id, Layout layout, const EncodedSegment& segment) {
  storage::v1::SegmentMeta meta;
  meta.set_segment_id(segment_id);
  meta.set_images(static_cast<uint32_t>(segment.images.size()));
  uint64_t luma_blocks = 0;
  uint64_t file_bytes = 0;
  for (const ImageRecord& image : segment.images) {
    luma_blocks += image.geometry.components.front().grid.blocks();
    file_bytes += image.file_bytes;
  }
  meta.set_luma_blocks(luma_blocks);
  meta.set_file_bytes(file_bytes);
  meta.set_layout(StoredLayout(layout));
  *meta.mutable_component_layout() = ComponentLayoutOf(segment.images.front().geometry);
  *meta.mutable_cluster() = ClusterOf(segment.images);
  for (const EncodedColumn& column : segment.columns) {
    storage::v1::ColumnMeta& stored = *meta.add_columns();
    stored.set_component(column.id.component);
    stored.set_frequency(column.id.frequency);
    stored.set_codec(static_cast<uint32_t>(column.codec));
    stored.set_bytes(column.chunk.size());
    ForEachColumn(column.contexts, [&](ColumnId context) {
      stored.add_contexts(uint32_t{context.component} * kFrequencies + context.frequency);
    });
  }
  std::map<KeepReason, storage::v1::KeptFiles> kept;
  for (const ImageRecord& image : segment.images) {
    if (image.keep_reason == KeepReason::kNone) continue;
    storage::v1::KeptFiles& files = kept[image.keep_reason];
    files.set_reason(static_cast<uint32_t>(image.keep_reason));
    files.set_images(files.images() + 1);
    files.set_bytes(files.bytes() + image.file_bytes);
  }
  for (auto& [reason, files] : kept) *meta.add_kept_files() = std::move(files);
  return meta;
}

std::string EncodeEnvelopes(std::span<const EncodedImage> images) {
  std::vector<std::string> envelopes;
  for (const EncodedImage& image : images)
    envelopes.push_back(image.record().keep_reason == KeepReason::kNone ? image.original : std::string());
  return SealEnvelopes(envelopes);
}

}  // namespace

absl::StatusOr<EncodedSegment> BuildSegment(std::span<const EncodedImage> images, Layout layout) {
  std::vector<const PackedImage*> packed;
  for (const EncodedImage& image : images) packed.push_back(&image.packed);
  return EncodeSegment(packed, {.layout = layout});
}

absl::StatusOr<StoredSegment> StoreSegment(KvStore& kv, uint32_t dataset_id, uint64_t segment_id,
                                           Layout layout, std::span<const EncodedImage> images) {
  ASSIGN_OR_RETURN(EncodedSegment segment, BuildSegment(images, layout));
  const std::string envelopes = EncodeEnvelopes(images);
  std::vector<SortedEntries> bulk = {{Family::kColumns, {}}, {Family::kEnvelopes, {}}};
  for (const EncodedColumn& column : segment.columns) {
    bulk[0].entries.emplace_back(EncodeChunkKey({dataset_id, segment_id, column.id}), column.chunk);
  }
  bulk[1].entries.emplace_back(keys::EnvelopeBlock(dataset_id, segment_id), envelopes);
  for (uint32_t ordinal = 0; ordinal < images.size(); ++ordinal) {
    if (images[ordinal].record().keep_reason != KeepReason::kNone)
      bulk[1].entries.emplace_back(keys::KeptFile(dataset_id, segment_id, ordinal), images[ordinal].original);
  }
  RETURN_IF_ERROR(kv.Ingest(bulk));
  StoredSegment stored{MetaOf(segment_id, layout, segment), std::move(segment.images)};
  stored.meta.set_envelope_bytes(envelopes.size());
  return stored;
}

absl::Status RemoveStored(KvStore& kv, uint32_t dataset_id, uint64_t segment_id) {
  KvBatch batch;
  for (const Family family : {Family::kColumns, Family::kEnvelopes})
    batch.DeletePrefix(family, keys::SegmentRows(dataset_id, segment_id));
  return kv.Write(batch);
}

}  // namespace freqstore
