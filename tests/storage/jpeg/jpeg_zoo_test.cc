// Every file of the zoo against what its manifest says of it.
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"
#include "storage/jpeg/jpeg_reader.h"
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

std::vector<Row> ReadManifest(const std::filesystem::path& path) {
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

/// The reasons that a file may be refused with; "OK" if it must be read.
std::set<std::string> ExpectedReasons(const Row& row) {
  const std::string& verdict = row.at("djpeg_2.1.5");
  const std::string& message = row.at("djpeg_message");
  const auto says = [&](const char* words) { return message.find(words) != std::string::npos; };
  if (verdict == "skipped (huge)" || says("Maximum supported image dimension")) return {"LIMIT_PIXELS"};
  if (row.at("file") == "generated/dqt_zero_entry.jpg") return {"CORRUPT_JPEG"};
  if (verdict != "err1") return {row.at("ncomp") == "4" ? "UNSUPPORTED_JPEG" : "OK"};
  if (says("Empty input file")) return {"EMPTY_FILE"};
  if (says("Not a JPEG file")) return {"NOT_A_JPEG"};
  // The message is djpeg's first: where that is only a warning, it does not tell the error that followed.
  if (says("Corrupt JPEG data")) return {"CORRUPT_JPEG", "UNSUPPORTED_JPEG"};
  if (says("Unsupported JPEG process") || says("data precision 12")) return {"UNSUPPORTED_JPEG"};
  return {"CORRUPT_JPEG"};
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

TEST_CASE("JpegReader reads or refuses each file of the zoo as its manifest says", "[jpeg]") {
  const std::filesystem::path zoo = testutil::TestData("zoo");
  const std::vector<Row> rows = ReadManifest(zoo / "MANIFEST.tsv");
  CHECK(rows.size() == 209);
  for (const Row& row : rows) {
    const std::string& name = row.at("file");
    CAPTURE(name, row.at("djpeg_2.1.5"), row.at("djpeg_message"));
    const std::string file = testutil::ReadFile(zoo / name);
    const absl::StatusOr<JpegImage> image = ReadJpeg(AsBytes(file), JpegLimits{});
    CAPTURE(ReasonOf(image.status()), MessageOf(image.status()));
    CHECK(ExpectedReasons(row).contains(ReasonOf(image.status())));
    if (!image.ok()) continue;

    const std::string size =
        std::to_string(image->geometry.width) + "x" + std::to_string(image->geometry.height);
    CHECK(row.at("djpeg_2.1.5").substr(row.at("djpeg_2.1.5").find(' ') + 1) == size);
    CHECK(image->geometry.orientation == ExpectedOrientation(row));
    CHECK(image->progressive == (row.at("sof") == "progressive" || row.at("sof") == "arith-prog"));
    CHECK(ExpectedWarnings(row, image->warnings));
    if (row.at("eoi") == "0") CHECK(image->truncated);
    testutil::RequireSameCoefficients(*image, testutil::DecodePlainly(file));
  }
}

}  // namespace freqstore
