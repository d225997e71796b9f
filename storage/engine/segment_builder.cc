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
#include "storage/segment/image_table.h"
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

absl::Status CommitSegment(KvStore& kv, Catalog& catalog, uint32_t dataset_id, Layout layout,
                           std::span<const EncodedImage> images, KvBatch batch,
                           std::optional<uint64_t> replaced) {
  ASSIGN_OR_RETURN(const EncodedSegment segment, BuildSegment(images, layout));
  const uint64_t segment_id = catalog.AllocateSegment(dataset_id);

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

  batch.Put(Family::kCatalog, keys::ImageTable(dataset_id, segment_id), EncodeImageTable(segment.images));
  for (uint32_t ordinal = 0; ordinal < images.size(); ++ordinal) {
    storage::v1::RowLocation location;
    location.set_segment_id(segment_id);
    location.set_ordinal(ordinal);
    location.set_sha256(images[ordinal].record().sha256);
    batch.Put(Family::kRows, keys::ImageId(dataset_id, images[ordinal].record().image_id),
              location.SerializeAsString());
  }
  storage::v1::SegmentMeta meta = MetaOf(segment_id, layout, segment);
  meta.set_envelope_bytes(envelopes.size());
  return catalog.CommitSegment(dataset_id, std::move(meta), std::move(batch), replaced);
}

}  // namespace freqstore
