// Every file of the zoo against what its manifest says of it; those that are read, out again.
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
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
  if (row.at("file") == "generated/dnl.jpg") return {"OK"};  // djpeg does not know DNL
  if (row.at("file") == "crash/tj_github_669__poc2.jpg") return {"LIMIT_SCANS"};
  if (verdict != "err1") return {"OK"};
  if (says("Empty input file")) return {"EMPTY_FILE"};
  if (says("Not a JPEG file")) return {"NOT_A_JPEG"};
  // The message is djpeg's first: where that is only a warning, it does not tell the error that followed.
  if (says("Corrupt JPEG data")) return {"CORRUPT_JPEG", "UNSUPPORTED_JPEG"};
  if (says("Unsupported JPEG process") || says("data precision 12")) return {"UNSUPPORTED_JPEG"};
  return {"CORRUPT_JPEG"};
}

/// The files that are read but have to be kept whole, and why. All others are rebuilt.
const std::map<std::string, KeepReason> kKept = {
    // Arithmetic coding is read, not written.
    {"generated/arith_prog.jpg", KeepReason::kArithmeticCoding},
    {"generated/arith_seq.jpg", KeepReason::kArithmeticCoding},
    {"turbo/testimgari.jpg", KeepReason::kArithmeticCoding},
    {"turbo/testorig_transpose_440_q90_ari_rst1.jpg", KeepReason::kArithmeticCoding},
    {"turbo/testorig_transverse_422_q95_prog_ari.jpg", KeepReason::kArithmeticCoding},
    // Bits that are in the file but not in the coefficients.
    {"crash/jd_dc-predictor-overflow.jpg", KeepReason::kDamagedScan},
    {"crash/jd_subtract-with-overflow.jpg", KeepReason::kDamagedScan},
    {"generated/bitflips_base_10.jpg", KeepReason::kNotRebuilt},
    {"generated/bitflips_base_300.jpg", KeepReason::kDamagedScan},
    {"generated/bitflips_prog_1.jpg", KeepReason::kDamagedScan},
    {"generated/bitflips_prog_5.jpg", KeepReason::kDamagedScan},
    {"generated/rst_missing_interval.jpg", KeepReason::kDamagedScan},
    {"jpegdecoder/partial_progressive.jpg", KeepReason::kDamagedScan},
    // The file ends, or the image goes on, behind its last bits.
    {"generated/dims_too_tall.jpg", KeepReason::kDamagedScan},
    {"generated/trunc_base_25pct.jpg", KeepReason::kDamagedScan},
    {"generated/trunc_base_50pct.jpg", KeepReason::kDamagedScan},
    {"generated/trunc_base_75pct.jpg", KeepReason::kDamagedScan},
    {"generated/trunc_base_99pct.jpg", KeepReason::kDamagedScan},
    {"generated/trunc_prog_25pct.jpg", KeepReason::kDamagedScan},
    {"generated/trunc_prog_50pct.jpg", KeepReason::kDamagedScan},
    {"generated/trunc_prog_5pct.jpg", KeepReason::kDamagedScan},
    {"generated/trunc_prog_75pct.jpg", KeepReason::kDamagedScan},
    {"generated/trunc_prog_99pct.jpg", KeepReason::kDamagedScan},
    {"generated/trunc_rst_25pct.jpg", KeepReason::kDamagedScan},
    {"sharp/truncated.jpg", KeepReason::kDamagedScan},
    {"wuffs/peacock.default.truncated.jpeg", KeepReason::kDamagedScan},
    {"wuffs/peacock.progressive.truncated.jpeg", KeepReason::kDamagedScan},
};

void RequireRoundTrip(const std::string& name, const std::string& file, const JpegImage& image) {
  const EnvelopeResult result = MakeEnvelope(AsBytes(file), image);
  const auto kept = kKept.find(name);
  const KeepReason expected = kept == kKept.end() ? KeepReason::kNone : kept->second;
  CHECK(KeepReasonName(result.keep_reason) == KeepReasonName(expected));
  if (result.keep_reason != KeepReason::kNone) return;
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
    if (name != "generated/dnl.jpg")
      CHECK(row.at("djpeg_2.1.5").substr(row.at("djpeg_2.1.5").find(' ') + 1) == size);
    CHECK(image->geometry.orientation == ExpectedOrientation(row));
    CHECK(image->progressive == (row.at("sof") == "progressive" || row.at("sof") == "arith-prog"));
    CHECK(ExpectedWarnings(row, image->warnings));
    if (row.at("eoi") == "0") CHECK(image->truncated);
    RequireRoundTrip(name, file, *image);
    if (name == "generated/dnl.jpg") continue;
    testutil::RequireSameCoefficients(*image, testutil::DecodePlainly(file));
  }
}

}  // namespace freqstore
