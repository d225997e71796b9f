// Every file of the zoo against what its manifest and the table in tests/conformance say of it; those that
// are read, out again.
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "storage/jpeg/jpeg_envelope.h"
#include "storage/jpeg/jpeg_reader.h"
#include "storage/jpeg/jpeg_writer.h"
#include "tests/storage/jpeg/coefficient_check.h"
#include "tests/storage/jpeg/plain_decoder.h"
#include "tests/testutil/test_data.h"

namespace freqstore {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> SplitTabs(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
  return fields;
}

/// The rows of a table whose first line names its columns.
std::vector<Row> ReadTable(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  REQUIRE(std::getline(in, line));
  const std::vector<std::string> names = SplitTabs(line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = SplitTabs(line);
    Row row;
    for (size_t i = 0; i < fields.size() && i < names.size(); ++i) row[names[i]] = fields[i];
    rows.push_back(row);
  }
  return rows;
}

/// What is expected of each file, by its name: tests/conformance/README.md.
std::map<std::string, Row> ReadExpectations() {
  std::map<std::string, Row> by_name;
  for (const Row& row : ReadTable(FREQSTORE_SOURCE_DIR "/tests/conformance/zoo_reasons.tsv"))
    by_name[row.at("file")] = row;
  return by_name;
}

void RequireRoundTrip(const std::string& expected, const std::string& file, const JpegImage& image) {
  const EnvelopeResult result = MakeEnvelope(AsBytes(file), image);
  const bool rebuilt = result.keep_reason == KeepReason::kNone;
  CHECK((rebuilt ? "REBUILT" : KeepReasonName(result.keep_reason)) == expected);
  if (!rebuilt) return;
  const auto written = WriteJpeg(AsBytes(result.envelope), image.geometry, image.components, file.size());
  REQUIRE(written.ok());
  REQUIRE(*written == file);
}

/// Whether the manifest agrees with the number of warnings that the reader gave.
bool ExpectedWarnings(const Row& row, uint32_t warnings) {
  if (row.at("djpeg_2.1.5").substr(0, 4) != "warn") return warnings == 0;
  // libjpeg-turbo's fast Huffman path does not say so; djpeg, which reads in small pieces, uses it less.
  return warnings > 0 || row.at("djpeg_message").find("bad Huffman code") != std::string::npos;
}

int ExpectedOrientation(const Row& row) {
  const std::string& text = row.at("orient");
  const int orientation = text == "-" ? 1 : std::atoi(text.c_str());
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

}  // namespace

TEST_CASE("Each file of the zoo is read as its manifest says and rebuilt, or refused", "[jpeg]") {
  const std::filesystem::path zoo = testutil::TestData("zoo");
  const std::map<std::string, Row> expectations = ReadExpectations();
  const std::vector<Row> rows = ReadTable(zoo / "MANIFEST.tsv");
  CHECK(rows.size() == 209);
  for (const Row& row : rows) {
    const std::string& name = row.at("file");
    CAPTURE(name, row.at("djpeg_2.1.5"), row.at("djpeg_message"));
    const std::string file = testutil::ReadFile(zoo / name);
    const absl::StatusOr<JpegImage> image = ReadJpeg(AsBytes(file), JpegLimits{});
    CAPTURE(ReasonOf(image.status()), MessageOf(image.status()));
    const Row& expected = expectations.at(name);
    CHECK(ReasonOf(image.status()) == expected.at("result"));
    if (!image.ok()) continue;

    const std::string size =
        std::to_string(image->geometry.width) + "x" + std::to_string(image->geometry.height);
    if (name != "generated/dnl.jpg")
      CHECK(row.at("djpeg_2.1.5").substr(row.at("djpeg_2.1.5").find(' ') + 1) == size);
    CHECK(image->geometry.orientation == ExpectedOrientation(row));
    CHECK(image->progressive == (row.at("sof") == "progressive" || row.at("sof") == "arith-prog"));
    CHECK(ExpectedWarnings(row, image->warnings));
    if (row.at("eoi") == "0") CHECK(image->truncated);
    RequireRoundTrip(expected.at("original"), file, *image);
    if (name == "generated/dnl.jpg") continue;
    testutil::RequireSameCoefficients(*image, testutil::DecodePlainly(file));
  }
}

}  // namespace freqstore
