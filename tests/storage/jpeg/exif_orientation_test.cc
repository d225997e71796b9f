#include "storage/jpeg/exif_orientation.h"

#include <string>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

/// EXIF with one IFD, written in the given byte order.
class ExifBuilder {
 public:
  explicit ExifBuilder(bool big_endian) : big_endian_(big_endian) {
    bytes_.assign("Exif\0\0", 6);
    bytes_ += big_endian ? "MM" : "II";
    Append(uint16_t{42});
    Append(uint32_t{8});
  }

  ExifBuilder& Entries(uint16_t count) {
    Append(count);
    return *this;
  }
  template <typename Value>
  ExifBuilder& Entry(uint16_t tag, uint16_t type, Value value) {
    Append(tag);
    Append(type);
    Append(uint32_t{1});
    Append(value);
    bytes_.append(4 - sizeof(value), '\0');
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <typename T>
  void Append(T value) {
    if (big_endian_) {
      AppendBigEndian(bytes_, value);
    } else {
      AppendLittleEndian(bytes_, value);
    }
  }

  bool big_endian_;
  std::string bytes_;
};

std::optional<uint8_t> Parse(const std::string& bytes) {
  return ParseExifOrientation(AsBytes(bytes));
}

constexpr uint16_t kTag = 0x0112;
constexpr uint16_t kShort = 3;
constexpr uint16_t kLong = 4;

}  // namespace

TEST_CASE("Orientation is read in both byte orders", "[exif]") {
  for (bool big_endian : {false, true}) {
    for (uint8_t orientation = 1; orientation <= 8; ++orientation) {
      CHECK(Parse(ExifBuilder(big_endian).Entries(1).Entry(kTag, kShort, uint16_t{orientation}).bytes()) ==
            orientation);
      CHECK(Parse(ExifBuilder(big_endian).Entries(1).Entry(kTag, kLong, uint32_t{orientation}).bytes()) ==
            orientation);
    }
  }
}

TEST_CASE("Orientation is found behind other entries", "[exif]") {
  CHECK(Parse(ExifBuilder(true)
                  .Entries(3)
                  .Entry(0x010f, 2, uint32_t{0xffffffff})
                  .Entry(0x0110, kShort, uint16_t{9})
                  .Entry(kTag, kShort, uint16_t{7})
                  .bytes()) == 7);
}

TEST_CASE("An invalid orientation is 1", "[exif]") {
  for (int value : {0, 9, 255, 65535}) {
    CHECK(Parse(ExifBuilder(false).Entries(1).Entry(kTag, kShort, static_cast<uint16_t>(value)).bytes()) ==
          1);
  }
  CHECK(Parse(ExifBuilder(false).Entries(1).Entry(kTag, 2, uint16_t{6}).bytes()) == 1);
  CHECK(Parse(ExifBuilder(false).Entries(1).Entry(kTag, kLong, uint32_t{0x00060006}).bytes()) == 6);
}

TEST_CASE("An IFD that claims too many entries is read as far as it goes", "[exif]") {
  CHECK(Parse(ExifBuilder(true).Entries(65535).Entry(kTag, kShort, uint16_t{3}).bytes()) == 3);
  CHECK(Parse(ExifBuilder(true).Entries(65535).Entry(0x0100, kShort, uint16_t{3}).bytes()) == std::nullopt);
}

TEST_CASE("What is not EXIF gives no orientation", "[exif]") {
  CHECK(Parse("") == std::nullopt);
  CHECK(Parse("http://ns.adobe.com/xap/1.0/") == std::nullopt);
  CHECK(Parse(std::string("Exif\0\0", 6)) == std::nullopt);
  CHECK(Parse(std::string("Exif\0\0M", 7)) == std::nullopt);
  CHECK(Parse(std::string("Exif\0\0XX\0*\0\0\0\x08", 14)) == std::nullopt);
  CHECK(Parse(std::string("Exif\0\0MM\0+\0\0\0\x08", 14)) == std::nullopt);
  CHECK(Parse(std::string("Exif\0\0MM\0*\xff\xff\xff\xff\0\x01", 16)) == std::nullopt);
}

TEST_CASE("EXIF may be cut anywhere", "[exif]") {
  const std::string whole = ExifBuilder(false).Entries(1).Entry(kTag, kShort, uint16_t{5}).bytes();
  for (size_t length = 0; length < whole.size(); ++length) {
    CHECK(Parse(whole.substr(0, length)) == std::nullopt);
  }
  CHECK(Parse(whole) == 5);
}

}  // namespace freqstore
