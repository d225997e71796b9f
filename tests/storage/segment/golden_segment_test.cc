// Opens the segments that version 2 wrote. tests/golden/segment_v2/README.md describes the files.
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "fmt/format.h"
#include "storage/base/hash.h"
#include "storage/segment/chunk_key.h"
#include "storage/segment/image_table.h"
#include "storage/segment/segment_reader.h"

namespace freqstore {
namespace {

std::string ReadGolden(const std::string& name) {
  std::ifstream in(std::string(FREQSTORE_SOURCE_DIR) + "/tests/golden/segment_v2/" + name, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<ImageRecord> ReadRows() {
  auto rows = DecodeImageTable(AsBytes(ReadGolden("image_table.bin")));
  REQUIRE(rows.ok());
  return *std::move(rows);
}

/// The lines of a .tsv below its heading.
std::vector<std::string> ReadLines(const std::string& name) {
  std::istringstream in(ReadGolden(name));
  std::vector<std::string> lines;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) lines.push_back(line);
  return lines;
}

std::vector<ChunkView> ParseChunksFile(const std::string& file) {
  constexpr size_t kKeyBytes = 15;
  std::vector<ChunkView> views;
  ByteReader reader(AsBytes(file));
  while (reader.remaining() > 0) {
    const auto key = DecodeChunkKey(reader.ReadBytes(kKeyBytes).value());
    REQUIRE(key.has_value());
    CHECK(key->dataset == 1);
    CHECK(key->segment == 2);
    views.push_back({key->column, reader.ReadBytes(reader.ReadLittleEndian<uint32_t>().value()).value()});
  }
  return views;
}

std::string Describe(size_t ordinal, const ImageRecord& row) {
  std::string sampling;
  std::string quant;
  for (const ComponentGeometry& component : row.geometry.components) {
    sampling += fmt::format("{}{}x{}", sampling.empty() ? "" : ",", component.h_samp, component.v_samp);
    for (uint16_t step : component.quant) AppendLittleEndian(quant, step);
  }
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:016x}\t{}\t{}\t{}\t{}\t{}\t{:016x}\t{}", ordinal,
                     row.image_id, row.geometry.width, row.geometry.height,
                     static_cast<int>(row.geometry.color), row.geometry.orientation, sampling,
                     Checksum64(AsBytes(quant)), int{row.progressive}, int{row.truncated}, row.warnings,
                     row.quality, row.file_bytes, Checksum64(AsBytes(row.sha256)), row.import_time_us);
}

}  // namespace

TEST_CASE("The image table opens", "[golden]") {
  const std::vector<ImageRecord> rows = ReadRows();
  const std::vector<std::string> expected = ReadLines("rows.tsv");
  REQUIRE(rows.size() == expected.size());
  for (size_t i = 0; i < rows.size(); ++i) CHECK(Describe(i, rows[i]) == expected[i]);
}

TEST_CASE("The chunks of version 2 open", "[golden]") {
  const std::string file = ReadGolden(GENERATE("chunks_raw.bin", "chunks_bp32.bin", "chunks_r32.bin"));
  const std::vector<ImageRecord> rows = ReadRows();
  const std::vector<ChunkView> views = ParseChunksFile(file);
  CHECK(views.size() == 3 * kFrequencies);
  const SegmentReader reader(rows, views);
  ColumnSet columns;
  columns.components.fill(FrequencySet::All());

  const std::vector<std::string> expected = ReadLines("planes.tsv");
  size_t next = 0;
  std::vector<CoefficientPlanes> planes;
  for (size_t i = 0; i < rows.size(); ++i) {
    REQUIRE(reader.DecodeImage(i, columns, planes).ok());
    for (size_t c = 0; c < planes.size(); ++c) {
      for (int z = 0; z < kFrequencies; ++z) {
        const std::vector<int16_t> plane = planes[c].Values(z);
        const Bytes bytes(reinterpret_cast<const uint8_t*>(plane.data()), plane.size() * sizeof(int16_t));
        REQUIRE(next < expected.size());
        CHECK(fmt::format("{}\t{}\t{}\t{}\t{:016x}", i, c, z, plane.size(), Checksum64(bytes)) ==
              expected[next]);
        ++next;
      }
    }
  }
  CHECK(next == expected.size());
}

}  // namespace freqstore
