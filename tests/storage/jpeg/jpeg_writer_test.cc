#include "storage/jpeg/jpeg_writer.h"

#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "storage/base/status.h"
#include "storage/jpeg/jpeg_envelope.h"
#include "tests/testutil/jpeg_builder.h"

namespace freqstore {
namespace {

struct Stored {
  std::string file;
  std::string envelope;
  ImageGeometry geometry;
  std::vector<CoefficientPlanes> components;
};

Stored Store(const testutil::JpegSpec& spec) {
  Stored stored;
  stored.file = testutil::BuildJpeg(spec);
  auto image = ReadJpeg(AsBytes(stored.file), {});
  REQUIRE(image.ok());
  stored.envelope = MakeEnvelope(AsBytes(stored.file), *image).envelope;
  REQUIRE_FALSE(stored.envelope.empty());
  stored.geometry = std::move(image->geometry);
  stored.components = std::move(image->components);
  return stored;
}

absl::StatusOr<std::string> Write(const Stored& stored) {
  return WriteJpeg(AsBytes(stored.envelope), stored.geometry, stored.components, stored.file.size());
}

std::string ReasonOfWrite(const Stored& stored) {
  return ReasonOf(Write(stored).status());
}

/// The same coefficients in planes that are narrow where they fit.
CoefficientPlanes Narrowed(const CoefficientPlanes& wide) {
  FrequencySet narrow;
  for (int z = 0; z < kFrequencies; ++z) {
    const auto plane = wide.plane(z);
    if (std::all_of(plane.begin(), plane.end(), [](int16_t v) { return v >= INT8_MIN && v <= INT8_MAX; }))
      narrow.Insert(z);
  }
  CoefficientPlanes planes;
  planes.Reset(wide.grid(), FrequencySet::All(), narrow);
  for (int z = 0; z < kFrequencies; ++z) {
    const auto source = wide.plane(z);
    if (planes.IsNarrow(z)) {
      std::transform(source.begin(), source.end(), planes.narrow_plane(z).begin(),
                     [](int16_t v) { return static_cast<int8_t>(v); });
    } else {
      std::copy(source.begin(), source.end(), planes.plane(z).begin());
    }
  }
  return planes;
}

}  // namespace

TEST_CASE("A file comes from narrow planes as well", "[writer]") {
  const bool progressive = GENERATE(false, true);
  Stored stored = Store({.width = 90, .height = 50, .sampling = {{2, 2}}, .progressive = progressive});
  for (CoefficientPlanes& planes : stored.components) planes = Narrowed(planes);
  const auto written = Write(stored);
  REQUIRE(written.ok());
  CHECK(*written == stored.file);
}

TEST_CASE("A file is written in pieces", "[writer]") {
  const Stored stored = Store({.width = 900, .height = 900, .quality = 100});
  class Pieces final : public ByteSink {
   public:
    bool Write(Bytes bytes) override {
      largest = std::max(largest, bytes.size());
      file += AsString(bytes);
      return true;
    }
    std::string file;
    size_t largest = 0;
  } pieces;
  CHECK(WriteJpeg(AsBytes(stored.envelope), stored.geometry, stored.components, pieces).ok());
  CHECK(pieces.file == stored.file);
  CHECK(stored.file.size() > 200'000);
  CHECK(pieces.largest < 50'000);
}

TEST_CASE("A file is not written beyond its bound", "[writer]") {
  const Stored stored = Store({.width = 90, .height = 50});
  for (const size_t bytes_max : {size_t{0}, size_t{100}, stored.file.size() - 1}) {
    CHECK(ReasonOf(
              WriteJpeg(AsBytes(stored.envelope), stored.geometry, stored.components, bytes_max).status()) ==
          "CORRUPT_ENVELOPE");
  }
}

TEST_CASE("An envelope may be damaged anywhere", "[writer]") {
  const bool progressive = GENERATE(false, true);
  const Stored stored = Store({.width = 30, .height = 30, .sampling = {{2, 2}}, .progressive = progressive});
  for (size_t i = 0; i < stored.envelope.size(); ++i) {
    Stored cut = stored;
    cut.envelope.resize(i);
    CHECK(ReasonOfWrite(cut) == "CORRUPT_ENVELOPE");
    for (const int bit : {1, 4, 16, 128}) {
      Stored damaged = stored;
      damaged.envelope[i] = static_cast<char>(damaged.envelope[i] ^ bit);
      const absl::Status status = Write(damaged).status();
      if (!status.ok()) CHECK(ReasonOf(status) == "CORRUPT_ENVELOPE");
    }
  }
}

TEST_CASE("Values that no symbol has are refused", "[writer]") {
  const bool progressive = GENERATE(false, true);
  const bool optimized = GENERATE(false, true);
  const int zigzag = GENERATE(0, 1, 63);
  const int16_t value = GENERATE(int16_t{INT16_MIN}, int16_t{INT16_MAX});
  Stored stored = Store({.width = 30, .height = 30, .progressive = progressive, .optimized = optimized});
  for (int16_t& coefficient : stored.components[1].plane(zigzag)) coefficient = value;
  stored.components[1].plane(zigzag)[3] = 0;
  const absl::Status status = Write(stored).status();
  if (!status.ok()) CHECK(ReasonOf(status) == "CORRUPT_ENVELOPE");
  if (value == INT16_MIN && zigzag > 0 && !progressive) CHECK_FALSE(status.ok());
}

TEST_CASE("Geometry and coefficients must go together", "[writer]") {
  const Stored stored = Store({.width = 90, .height = 50});
  Stored other = stored;
  SECTION("another size") {
    other.geometry.width = 200;
  }
  SECTION("no size") {
    other.geometry.height = 0;
  }
  SECTION("a size beyond JPEG's") {
    other.geometry.height = 65'536;
  }
  SECTION("a component less") {
    other.components.pop_back();
  }
  SECTION("no components") {
    other.components.clear();
    other.geometry.components.clear();
  }
  SECTION("five components") {
    other.components.resize(5, stored.components[0]);
    other.geometry.components.resize(5, stored.geometry.components[0]);
  }
  SECTION("another grid") {
    other.components[1].Reset({3, 3}, FrequencySet::All());
  }
  SECTION("frequencies missing") {
    other.components[1].Keep(FrequencySet::Cut(4, 8));
  }
  SECTION("a sampling factor of 0") {
    other.geometry.components[0].h_samp = 0;
  }
  SECTION("a sampling factor of 5") {
    other.geometry.components[0].v_samp = 5;
  }
  CHECK(ReasonOfWrite(other) == "CORRUPT_ENVELOPE");
}

TEST_CASE("Scans beyond the format's bound are refused", "[writer]") {
  Stored stored = Store({.width = 8, .height = 8, .color = testutil::JpegColor::kGrayscale});
  const std::string scan("\x08\6\1\1\0\0\x3f\0", 8);
  stored.envelope.pop_back();
  for (int i = 0; i < 1100; ++i) stored.envelope += scan;
  stored.envelope += '\1';
  stored.file.resize(1'000'000);
  CHECK(ReasonOfWrite(stored) == "CORRUPT_ENVELOPE");
}

}  // namespace freqstore
