#include "tests/storage/jpeg/recoder.h"

#include <numeric>

#include <catch2/catch_test_macros.hpp>

#include "storage/jpeg/coding_state.h"
#include "storage/jpeg/jpeg_reader.h"
#include "storage/jpeg/marker_writer.h"

namespace freqstore::testutil {
namespace {

/// 255 codes of 8 bits and one of 9.
HuffmanTable CompleteTable() {
  HuffmanTable table;
  table.counts[7] = 255;
  table.counts[8] = 1;
  std::iota(table.symbols.begin(), table.symbols.end(), uint8_t{0});
  return table;
}

}  // namespace

std::string Recode(const std::string& file,
                   const std::function<ScanExceptions(Bytes entropy)>& exceptions_of) {
  const auto image = ReadJpeg(AsBytes(file), {});
  REQUIRE(image.ok());
  const auto parsed = ParseJpegFile(AsBytes(file), {});
  REQUIRE(parsed.ok());
  StringSink sink(4 * file.size() + 100'000);
  BitWriter out(sink);
  WriteStart(out);
  CodingState state(image->geometry, image->components);
  for (const JpegSegment& source : parsed->segments) {
    RecipeSegment segment{.code = source.code,
                          .has_length = source.has_length,
                          .gap = source.gap,
                          .payload = source.payload,
                          .tables = {},
                          .exceptions = {}};
    if (source.code == marker::kDht) segment.tables = *ParseHuffmanTables(source.payload);
    const bool progressive = image->progressive;
    for (RecipeTable& table : segment.tables) {
      // DC tables may not have categories above 15.
      if (progressive && table.is_ac()) table.table = CompleteTable();
    }
    WriteMarker(segment, out);
    state.Apply(segment);
    if (source.code != marker::kSos) continue;
    const std::optional<ScanPlan> plan = state.Plan(segment);
    ScanTables codes;
    REQUIRE((plan && state.CodesFor(*plan, codes)));
    const ScanExceptions exceptions = exceptions_of(source.entropy);
    ListedDetails details(exceptions);
    REQUIRE(WriteScan(*plan, codes, details, out));
  }
  REQUIRE(out.Flush());
  return sink.Take();
}

}  // namespace freqstore::testutil
