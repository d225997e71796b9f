// Real photographs, out and in again; and what their envelopes take.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/jpeg/envelope_block.h"
#include "storage/jpeg/jpeg_envelope.h"
#include "storage/jpeg/jpeg_markers.h"
#include "storage/jpeg/jpeg_writer.h"
#include "tests/testutil/test_data.h"

namespace freqstore {
namespace {

/// A file without its metadata: application data but JFIF's and Adobe's, and comments.
std::string WithoutMetadata(const std::string& file) {
  const auto parsed = ParseJpegFile(AsBytes(file), {});
  REQUIRE(parsed.ok());
  std::string result = file.substr(0, 2);
  for (const JpegSegment& segment : parsed->segments) {
    const bool metadata = (segment.code > marker::kApp0 && segment.code <= 0xef && segment.code != 0xee) ||
                          segment.code == 0xfe;
    const auto* begin = segment.gap.data();
    const size_t bytes = segment.gap.size() + 2 + (segment.has_length ? 2 : 0) + segment.payload.size() +
                         segment.entropy.size();
    if (!metadata) result += AsString({begin, bytes});
  }
  return result += AsString(parsed->tail);
}

struct Totals {
  size_t files = 0;
  size_t kept = 0;
  std::vector<std::string> envelopes;

  double BytesAnImage() const {
    size_t bytes = 0;
    for (size_t i = 0; i < envelopes.size(); i += kEnvelopesMax) {
      const size_t count = std::min(kEnvelopesMax, envelopes.size() - i);
      bytes += CompressEnvelopes(std::span(envelopes).subspan(i, count)).size();
    }
    return static_cast<double>(bytes) / static_cast<double>(files);
  }
};

void RoundTrip(const std::string& file, Totals& totals) {
  const auto image = ReadJpeg(AsBytes(file), {});
  REQUIRE(image.ok());
  ++totals.files;
  const EnvelopeResult result = MakeEnvelope(AsBytes(file), *image);
  if (result.keep_reason != KeepReason::kNone) {
    ++totals.kept;
    return;
  }
  const auto written = WriteJpeg(AsBytes(result.envelope), image->geometry, image->components, file.size());
  REQUIRE(written.ok());
  REQUIRE(*written == file);
  totals.envelopes.push_back(result.envelope);
}

std::vector<std::filesystem::path> FilesIn(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testutil::TestData(folder))) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".JPEG" || extension == ".jpg" || extension == ".jpeg") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("Photos come back byte for byte and their envelopes are small", "[envelope]") {
  Totals all;
  Totals without_metadata;
  for (const auto& path : FilesIn("photos/imagenet500")) {
    CAPTURE(path.filename().string());
    const std::string file = testutil::ReadFile(path);
    RoundTrip(file, all);
    RoundTrip(WithoutMetadata(file), without_metadata);
  }
  CHECK(all.files == 500);
  CHECK(all.kept * 1000 <= all.files * 5);
  CHECK(without_metadata.kept * 1000 <= without_metadata.files * 5);
  // Measured: 632 and 4.
  CHECK(all.BytesAnImage() < 700);
  CHECK(without_metadata.BytesAnImage() < 10);
}

TEST_CASE("Labelled images come back byte for byte", "[envelope]") {
  for (const char* folder :
       {"labeled/imagenet_val227", "labeled/imagenette224", "labeled/intel_scenes", "photos/ccby"}) {
    CAPTURE(folder);
    Totals totals;
    for (const auto& path : FilesIn(folder)) {
      CAPTURE(path.filename().string());
      RoundTrip(testutil::ReadFile(path), totals);
    }
    CHECK(totals.kept == 0);
    CHECK(totals.files > 0);
  }
}

}  // namespace freqstore
