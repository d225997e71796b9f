#include "storage/segment/image_table.h"

#include <functional>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "freqstore/storage/v1/segment.pb.h"
#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "tests/storage/segment/synthetic_images.h"

namespace freqstore {
namespace {

std::vector<ImageRecord> OddRows() {
  std::vector<ImageRecord> rows;
  for (testutil::SyntheticImage& image : testutil::MakeOddImages()) rows.push_back(std::move(image.record));
  return rows;
}

std::string Frame(const storage::v1::ImageTable& table) {
  std::string bytes(1, '\x01');
  table.AppendToString(&bytes);
  AppendLittleEndian(bytes, Checksum64(AsBytes(bytes)));
  return bytes;
}

storage::v1::ImageTable Unframe(const std::string& bytes) {
  storage::v1::ImageTable table;
  REQUIRE(table.ParseFromString(bytes.substr(1, bytes.size() - 9)));
  return table;
}

}  // namespace

TEST_CASE("An image table gives its rows back", "[image_table]") {
  const std::vector<ImageRecord> rows = OddRows();
  const std::string bytes = EncodeImageTable(rows);
  const auto decoded = DecodeImageTable(AsBytes(bytes));
  REQUIRE(decoded.ok());
  CHECK(*decoded == rows);
}

TEST_CASE("An empty image table is valid", "[image_table]") {
  const std::string bytes = EncodeImageTable({});
  CHECK(bytes.size() == 9);
  const auto decoded = DecodeImageTable(AsBytes(bytes));
  REQUIRE(decoded.ok());
  CHECK(decoded->empty());
}

TEST_CASE("Image ids are any bytes and hashes may be unknown", "[image_table]") {
  std::vector<ImageRecord> rows = OddRows();
  rows[0].image_id = std::string("caf\xe9\0\xff", 6);
  rows[1].sha256.clear();
  const auto decoded = DecodeImageTable(AsBytes(EncodeImageTable(rows)));
  REQUIRE(decoded.ok());
  CHECK(*decoded == rows);
}

TEST_CASE("Quantisers that repeat are stored once", "[image_table]") {
  const std::vector<ImageRecord> rows(100, OddRows()[0]);
  const std::string bytes = EncodeImageTable(rows);
  CHECK(Unframe(bytes).quantisers_size() == 2);
  CHECK(bytes.size() < 110 * rows.size());
}

TEST_CASE("Every flipped or missing byte of an image table is noticed", "[image_table]") {
  const std::string bytes = EncodeImageTable(OddRows());
  for (size_t i = 0; i < bytes.size(); ++i) {
    CAPTURE(i);
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x04);
    CHECK(DecodeImageTable(AsBytes(damaged)).status().code() == absl::StatusCode::kDataLoss);
    const std::string cut = bytes.substr(0, i);
    CHECK(ReasonOf(DecodeImageTable(AsBytes(cut)).status()) == "CORRUPT_IMAGE_TABLE");
  }
  CHECK(ReasonOf(DecodeImageTable(AsBytes(bytes + '\0')).status()) == "CORRUPT_IMAGE_TABLE");
  std::string newer = bytes;
  newer[0] = 2;
  CHECK(ReasonOf(DecodeImageTable(AsBytes(newer)).status()) == "UNKNOWN_VERSION");
}

TEST_CASE("A checksum does not make nonsense rows valid", "[image_table]") {
  const storage::v1::ImageTable valid = Unframe(EncodeImageTable(OddRows()));
  REQUIRE(DecodeImageTable(AsBytes(Frame(valid))).ok());
  const std::vector<std::function<void(storage::v1::ImageTable&)>> damages = {
      [](auto& table) { table.mutable_images(0)->set_width(0); },
      [](auto& table) { table.mutable_images(0)->set_height(65536); },
      [](auto& table) { table.mutable_images(0)->set_orientation(0); },
      [](auto& table) { table.mutable_images(0)->set_orientation(9); },
      [](auto& table) { table.mutable_images(0)->set_color(storage::v1::COLOR_MODEL_UNSPECIFIED); },
      [](auto& table) { table.mutable_images(0)->set_color(static_cast<storage::v1::ColorModel>(7)); },
      [](auto& table) { table.mutable_images(0)->set_color(static_cast<storage::v1::ColorModel>(-1)); },
      [](auto& table) { table.mutable_images(0)->set_color(storage::v1::COLOR_MODEL_GRAYSCALE); },
      [](auto& table) { table.mutable_images(0)->clear_components(); },
      [](auto& table) { table.mutable_images(0)->mutable_components(1)->set_h_samp(0); },
      [](auto& table) { table.mutable_images(0)->mutable_components(1)->set_v_samp(5); },
      [](auto& table) { table.mutable_images(0)->mutable_components(1)->set_quantiser(1000); },
      [](auto& table) { table.mutable_images(0)->set_quality(101); },
      [](auto& table) { table.mutable_images(0)->set_sha256("short"); },
      [](auto& table) { table.mutable_quantisers(0)->set_steps(3, 0); },
      [](auto& table) { table.mutable_quantisers(0)->set_steps(3, 65536); },
      [](auto& table) { table.mutable_quantisers(0)->add_steps(1); },
      [](auto& table) { table.clear_quantisers(); },
  };
  for (size_t i = 0; i < damages.size(); ++i) {
    CAPTURE(i);
    storage::v1::ImageTable table = valid;
    damages[i](table);
    CHECK(ReasonOf(DecodeImageTable(AsBytes(Frame(table))).status()) == "CORRUPT_IMAGE_TABLE");
  }
  std::string not_a_message = "\x01\xff\xff\xff";
  AppendLittleEndian(not_a_message, Checksum64(AsBytes(not_a_message)));
  CHECK(ReasonOf(DecodeImageTable(AsBytes(not_a_message)).status()) == "CORRUPT_IMAGE_TABLE");
}

}  // namespace freqstore
