// Writes the golden files of a segment version: make_golden_segment DIR. tests/golden/segment_v2/README.md
// says when.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "storage/base/hash.h"
#include "storage/codec/raw_codec.h"
#include "storage/codec/run_column.h"
#include "storage/segment/chunk_format.h"
#include "storage/segment/chunk_key.h"
#include "storage/segment/image_table.h"
#include "storage/segment/segment_writer.h"
#include "tests/storage/segment/synthetic_images.h"

namespace freqstore {
namespace {

constexpr uint32_t kDataset = 1;
constexpr uint64_t kSegment = 2;

void WriteFile(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

constexpr uint32_t kImagesPerSubstream = 4;

void AppendEntry(ColumnId id, const std::string& chunk, std::string& file) {
  file += EncodeChunkKey({kDataset, kSegment, id});
  AppendLittleEndian(file, static_cast<uint32_t>(chunk.size()));
  file += chunk;
}

std::string ChunksFile(const std::vector<testutil::SyntheticImage>& images, Layout layout) {
  SegmentWriter writer({.layout = layout, .images_per_substream = kImagesPerSubstream});
  for (const auto& image : images) writer.Add(PackImage(image.record, image.components));
  std::string file;
  const EncodedSegment segment = writer.Finish().value();
  for (const EncodedColumn& column : segment.columns) AppendEntry(column.id, column.chunk, file);
  return file;
}

/// No layout has raw columns.
std::string RawChunksFile(const std::vector<testutil::SyntheticImage>& images) {
  std::string file;
  for (ColumnId id = {}; id.component < 3; ++id.component) {
    for (id.frequency = 0; id.frequency < kFrequencies; ++id.frequency) {
      ChunkHeader header{.column = id,
                         .codec = CodecId::kRaw,
                         .images_per_substream = kImagesPerSubstream,
                         .images = static_cast<uint32_t>(images.size())};
      ChunkContent content;
      for (size_t first = 0; first < images.size(); first += kImagesPerSubstream) {
        std::deque<std::string> bytes;
        std::vector<RunView> runs;
        for (size_t i = first; i < std::min<size_t>(first + kImagesPerSubstream, images.size()); ++i) {
          std::string& run = bytes.emplace_back();
          if (id.component < images[i].components.size()) {
            const CoefficientPlanes& planes = images[i].components[id.component];
            RawCodec().EncodeRun(id.frequency, planes.grid(), planes.plane(id.frequency), run);
            header.values += planes.grid().blocks();
          }
          runs.push_back({AsBytes(run), false});
        }
        AppendRunSubstream(runs, content.substreams);
        content.substream_ends.push_back(static_cast<uint32_t>(content.substreams.size()));
      }
      AppendEntry(id, BuildChunk(header, content), file);
    }
  }
  return file;
}

std::string PlanesFile(const std::vector<testutil::SyntheticImage>& images) {
  std::string file = "ordinal\tcomponent\tfrequency\tblocks\txxh3\n";
  for (size_t i = 0; i < images.size(); ++i) {
    for (size_t c = 0; c < images[i].components.size(); ++c) {
      for (int z = 0; z < kFrequencies; ++z) {
        const std::span<const int16_t> plane = images[i].components[c].plane(z);
        const Bytes bytes(reinterpret_cast<const uint8_t*>(plane.data()), plane.size_bytes());
        file += fmt::format("{}\t{}\t{}\t{}\t{:016x}\n", i, c, z, plane.size(), Checksum64(bytes));
      }
    }
  }
  return file;
}

std::string RowsFile(const std::vector<testutil::SyntheticImage>& images) {
  std::string file =
      "ordinal\timage_id\twidth\theight\tcolor\torientation\tsampling\tquant_"
      "xxh3\tprogressive\ttruncated\twarnings\t"
      "quality\tfile_bytes\tsha256_xxh3\timport_time_us\n";
  for (size_t i = 0; i < images.size(); ++i) {
    const ImageRecord& row = images[i].record;
    std::string sampling;
    std::string quant;
    for (const ComponentGeometry& component : row.geometry.components) {
      sampling += fmt::format("{}{}x{}", sampling.empty() ? "" : ",", component.h_samp, component.v_samp);
      for (uint16_t step : component.quant) AppendLittleEndian(quant, step);
    }
    file += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:016x}\t{}\t{}\t{}\t{}\t{}\t{:016x}\t{}\n", i,
                        row.image_id, row.geometry.width, row.geometry.height,
                        static_cast<int>(row.geometry.color), row.geometry.orientation, sampling,
                        Checksum64(AsBytes(quant)), int{row.progressive}, int{row.truncated}, row.warnings,
                        row.quality, row.file_bytes, Checksum64(AsBytes(row.sha256)), row.import_time_us);
  }
  return file;
}

}  // namespace
}  // namespace freqstore

int main(int argc, char** argv) {
  using namespace freqstore;  // NOLINT(google-build-using-namespace): the program's own
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  const std::vector<testutil::SyntheticImage> images = testutil::MakeOddImages();
  std::vector<ImageRecord> rows;
  for (const auto& image : images) rows.push_back(image.record);
  WriteFile(folder / "image_table.bin", EncodeImageTable(rows));
  WriteFile(folder / "chunks_raw.bin", RawChunksFile(images));
  WriteFile(folder / "chunks_bp32.bin", ChunksFile(images, Layout::kFast));
  WriteFile(folder / "chunks_r32.bin", ChunksFile(images, Layout::kCompact));
  WriteFile(folder / "planes.tsv", PlanesFile(images));
  WriteFile(folder / "rows.tsv", RowsFile(images));
  return 0;
}
