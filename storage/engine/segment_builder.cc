#include "storage/engine/segment_builder.h"

#include <string>
#include <utility>

#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/segment/chunk_key.h"
#include "storage/segment/image_table.h"
#include "storage/segment/segment_reader.h"

namespace freqstore {
namespace {

ColumnSet ColumnsOf(const EncodedSegment& segment) {
  ColumnSet set;
  for (const EncodedColumn& column : segment.columns) set.Insert(column.id);
  return set;
}

storage::v1::SegmentMeta MetaOf(uint64_t segment_id, const EncodedSegment& segment) {
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
  *meta.mutable_component_layout() = ComponentLayoutOf(segment.images.front().geometry);
  for (const EncodedColumn& column : segment.columns) {
    storage::v1::ColumnMeta& stored = *meta.add_columns();
    stored.set_component(column.id.component);
    stored.set_frequency(column.id.frequency);
    stored.set_codec(static_cast<uint32_t>(column.codec));
    stored.set_bytes(column.chunk.size());
    for (const ColumnId& context : column.contexts) {
      stored.add_contexts(uint32_t{context.component} * kFrequencies + context.frequency);
    }
  }
  return meta;
}

}  // namespace

storage::v1::ComponentLayout ComponentLayoutOf(const ImageGeometry& geometry) {
  storage::v1::ComponentLayout layout;
  for (const ComponentGeometry& component : geometry.components) {
    layout.add_sampling(uint32_t{component.h_samp} * 16 + component.v_samp);
  }
  return layout;
}

absl::StatusOr<std::vector<CoefficientPlanes>> DecodeEncodedImage(const EncodedImage& image) {
  std::vector<ChunkView> chunks;
  for (const EncodedColumn& column : image.row.columns) chunks.push_back({column.id, AsBytes(column.chunk)});
  const SegmentReader reader(image.row.images, chunks);
  std::vector<CoefficientPlanes> components;
  RETURN_IF_ERROR(reader.DecodeImage(0, ColumnsOf(image.row), components));
  return components;
}

absl::StatusOr<EncodedSegment> BuildSegment(std::span<const EncodedImage> images) {
  SegmentWriter writer({});
  for (const EncodedImage& image : images) {
    ASSIGN_OR_RETURN(std::vector<CoefficientPlanes> components, DecodeEncodedImage(image));
    writer.Add(image.record(), std::move(components));
  }
  return writer.Finish();
}

absl::Status CommitSegment(KvStore& kv, Catalog& catalog, uint32_t dataset_id,
                           std::span<const EncodedImage> images, KvBatch batch) {
  ASSIGN_OR_RETURN(const EncodedSegment segment, BuildSegment(images));
  const uint64_t segment_id = catalog.AllocateSegment(dataset_id);

  std::vector<SortedEntries> bulk = {{Family::kColumns, {}}, {Family::kEnvelopes, {}}};
  for (const EncodedColumn& column : segment.columns) {
    bulk[0].entries.emplace_back(EncodeChunkKey({dataset_id, segment_id, column.id}), column.chunk);
  }
  for (uint32_t ordinal = 0; ordinal < images.size(); ++ordinal) {
    bulk[1].entries.emplace_back(keys::Envelope(dataset_id, segment_id, ordinal), images[ordinal].file);
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
  return catalog.CommitSegment(dataset_id, MetaOf(segment_id, segment), std::move(batch));
}

}  // namespace freqstore
