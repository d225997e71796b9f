#include "storage/engine/originals.h"

#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/catalog/keys.h"
#include "storage/engine/envelopes.h"
#include "tests/storage/engine/store_helper.h"

namespace freqstore {
namespace {

using testutil::BuildJpeg;
using testutil::JpegSpec;
using testutil::SmallJpeg;
using testutil::StoreHelper;

using Files = std::vector<std::pair<std::string, std::string>>;

/// Some are rebuilt; the arithmetic-coded ones are kept whole.
Files MixedFiles(int count) {
  Files files;
  for (int i = 0; i < count; ++i) {
    JpegSpec spec;
    spec.width = 40;
    spec.height = 24;
    spec.quality = 60 + i;
    spec.progressive = i % 3 == 1;
    spec.arithmetic = i % 5 == 2;
    files.emplace_back(fmt::format("{:03}", i), BuildJpeg(spec) + (i % 4 == 3 ? "bytes behind" : ""));
  }
  return files;
}

std::map<std::string, std::string> ReadAllOriginals(const DatasetSnapshot& snapshot) {
  std::map<std::string, std::string> files;
  for (const Part& part : snapshot.parts()) {
    const ImageRows rows = *snapshot.ReadRows(part);
    std::vector<uint32_t> ordinals(part.images);
    std::iota(ordinals.begin(), ordinals.end(), 0U);
    const auto consume = [&](uint32_t ordinal, absl::StatusOr<std::string> file) {
      REQUIRE(file.ok());
      REQUIRE(files.emplace((*rows)[ordinal].image_id, *std::move(file)).second);
      return true;
    };
    REQUIRE(ReadOriginalFiles(snapshot, part, ordinals, consume).ok());
  }
  return files;
}

}  // namespace

TEST_CASE("files come back byte for byte, from the delta, segments and rewritten segments", "[originals]") {
  StoreHelper store;
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_BALANCED).ok());
  const Files files = MixedFiles(30);
  store.Import("d", files);
  const std::map<std::string, std::string> expected(files.begin(), files.end());
  CHECK(ReadAllOriginals(**store.engine().Snapshot("d")) == expected);
  REQUIRE(store.engine().Flush("d").ok());
  CHECK(ReadAllOriginals(**store.engine().Snapshot("d")) == expected);
  store.Close();
  REQUIRE(store.Open().ok());
  CHECK(ReadAllOriginals(**store.engine().Snapshot("d")) == expected);

  const auto stats = store.engine().Describe("d");
  REQUIRE(stats.ok());
  CHECK(stats->envelope_bytes > 0);
  REQUIRE(stats->kept.size() == 1);
  CHECK(stats->kept.at(KeepReason::kArithmeticCoding).images == 6);
}

TEST_CASE("reading ends when nobody wants more", "[originals]") {
  StoreHelper store;
  REQUIRE(store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST).ok());
  store.Import("d", MixedFiles(20));
  REQUIRE(store.engine().Flush("d").ok());
  const auto snapshot = *store.engine().Snapshot("d");
  std::vector<uint32_t> ordinals(snapshot->parts()[0].images);
  std::iota(ordinals.begin(), ordinals.end(), 0U);
  size_t taken = 0;
  const auto consume = [&](uint32_t, const absl::StatusOr<std::string>&) { return ++taken < 3; };
  REQUIRE(ReadOriginalFiles(*snapshot, snapshot->parts()[0], ordinals, consume).ok());
  CHECK(taken == 3);
}

TEST_CASE("damaged envelopes cost a segment's files, not its images", "[originals]") {
  StoreHelper store;
  const auto dataset = store.engine().catalog().CreateDataset("d", storage::v1::LAYOUT_FAST);
  store.Import("d", MixedFiles(12));
  REQUIRE(store.engine().Flush("d").ok());
  const uint64_t segment = (*store.engine().Snapshot("d"))->parts()[0].segment->segment_id();
  store.Close();
  {
    auto kv = KvStore::Open(store.data_dir() / "store", {});
    REQUIRE(kv.ok());
    const std::string key = keys::EnvelopeBlock(dataset->dataset_id(), segment);
    std::string value = **(*kv)->Get(Family::kEnvelopes, key);
    value[value.size() / 2] = static_cast<char>(value[value.size() / 2] ^ 1);
    KvBatch batch;
    batch.Put(Family::kEnvelopes, key, value);
    REQUIRE((*kv)->Write(batch).ok());
  }
  REQUIRE(store.Open().ok());
  const auto snapshot = *store.engine().Snapshot("d");
  const absl::Status status = ReadOriginalFile(*snapshot, *snapshot->Find("000")).status();
  CHECK(ReasonOf(status) == "CHECKSUM_MISMATCH");
  CHECK(store.ReadAll("d").size() == 12);
}

TEST_CASE("sealed envelopes open, damaged ones do not", "[originals]") {
  const std::vector<std::string> envelopes = {"first", "", std::string(1000, 'x')};
  const std::string value = SealEnvelopes(envelopes);
  const auto opened = OpenEnvelopes(AsBytes(value), 3);
  REQUIRE(opened.ok());
  CHECK(*opened == envelopes);
  CHECK(ReasonOf(OpenEnvelopes(AsBytes(value), 2).status()) == "CORRUPT_ENVELOPE");
  for (size_t i = 0; i < value.size(); ++i) {
    std::string damaged = value;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    CHECK(OpenEnvelopes(AsBytes(damaged), 3).status().code() == absl::StatusCode::kDataLoss);
    CHECK(OpenEnvelopes(AsBytes(value.substr(0, i)), 3).status().code() == absl::StatusCode::kDataLoss);
  }
}

}  // namespace freqstore
