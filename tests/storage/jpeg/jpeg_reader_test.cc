#include "storage/jpeg/jpeg_reader.h"

#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "storage/base/status.h"
#include "tests/storage/jpeg/coefficient_check.h"
#include "tests/storage/jpeg/plain_decoder.h"
#include "tests/testutil/jpeg_builder.h"

namespace freqstore {
namespace {

using testutil::BuildJpeg;
using testutil::JpegColor;
using testutil::JpegSpec;

absl::StatusOr<JpegImage> Read(const std::string& file, const JpegLimits& limits = {}) {
  return ReadJpeg(AsBytes(file), limits);
}

/// Where the marker 0xff `code` starts; the last one if `last`.
size_t FindMarker(const std::string& file, unsigned char code, bool last = false) {
  const std::string marker = {'\xff', static_cast<char>(code)};
  const size_t position = last ? file.rfind(marker) : file.find(marker);
  REQUIRE(position != std::string::npos);
  return position;
}

constexpr unsigned char kSof0 = 0xc0;
constexpr unsigned char kDht = 0xc4;
constexpr unsigned char kEoi = 0xd9;
constexpr unsigned char kSos = 0xda;
constexpr unsigned char kDqt = 0xdb;
constexpr unsigned char kApp14 = 0xee;

std::string LittleEndianExif(uint16_t orientation) {
  std::string exif("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", 24);
  exif += static_cast<char>(orientation & 0xff);
  exif += static_cast<char>(orientation >> 8);
  return exif + std::string(6, '\0');
}

}  // namespace

TEST_CASE("JpegReader reads what libjpeg-turbo reads", "[jpeg]") {
  const auto [width, height] = GENERATE(std::pair{1, 1}, std::pair{8, 8}, std::pair{17, 33}, std::pair{70, 9},
                                        std::pair{3, 130}, std::pair{300, 41});
  const bool progressive = GENERATE(false, true);
  const std::vector<std::pair<int, int>> sampling =
      GENERATE(std::vector<std::pair<int, int>>{}, std::vector<std::pair<int, int>>{{2, 2}},
               std::vector<std::pair<int, int>>{{2, 1}}, std::vector<std::pair<int, int>>{{1, 2}},
               std::vector<std::pair<int, int>>{{4, 1}}, std::vector<std::pair<int, int>>{{3, 1}, {2, 1}},
               std::vector<std::pair<int, int>>{{1, 1}, {2, 2}, {1, 2}});
  const JpegColor color = GENERATE(JpegColor::kYCbCr, JpegColor::kRgb);
  CAPTURE(width, height, progressive, sampling.size(), static_cast<int>(color));
  const std::string file = BuildJpeg({.width = width,
                                      .height = height,
                                      .color = color,
                                      .sampling = sampling,
                                      .progressive = progressive,
                                      .exif = {}});
  const auto image = Read(file);
  REQUIRE(image.ok());
  CHECK(image->geometry.color == (color == JpegColor::kRgb ? ColorModel::kRgb : ColorModel::kYCbCr));
  CHECK(image->progressive == progressive);
  CHECK_FALSE(image->truncated);
  CHECK(image->warnings == 0);
  CHECK(image->quality == 75);
  CHECK(image->geometry.orientation == 1);
  testutil::RequireSameCoefficients(*image, testutil::DecodePlainly(file));
}

TEST_CASE("A lone component has no sampling factors", "[jpeg]") {
  const std::string file = BuildJpeg(
      {.width = 24, .height = 17, .color = JpegColor::kGrayscale, .sampling = {{2, 2}}, .exif = {}});
  const auto image = Read(file);
  REQUIRE(image.ok());
  CHECK(image->geometry.color == ColorModel::kGrayscale);
  REQUIRE(image->geometry.components.size() == 1);
  CHECK(image->geometry.components[0].h_samp == 1);
  CHECK(image->geometry.components[0].v_samp == 1);
  CHECK(image->geometry.components[0].grid == BlockGrid{3, 3});
  testutil::RequireSameCoefficients(*image, testutil::DecodePlainly(file));
}

TEST_CASE("RGB is told by component ids too", "[jpeg]") {
  std::string file = BuildJpeg({.color = JpegColor::kYCbCr, .sampling = {}, .jfif = false, .exif = {}});
  const size_t sof = FindMarker(file, kSof0);
  const size_t sos = FindMarker(file, kSos);
  for (size_t c = 0; c < 3; ++c) {
    file[sof + 10 + 3 * c] = "RGB"[c];
    file[sos + 5 + 2 * c] = "RGB"[c];
  }
  const auto image = Read(file);
  REQUIRE(image.ok());
  CHECK(image->geometry.color == ColorModel::kRgb);
}

TEST_CASE("Four components are CMYK or YCCK", "[jpeg]") {
  const bool progressive = GENERATE(false, true);
  const std::string cmyk =
      BuildJpeg({.width = 20, .height = 30, .color = JpegColor::kCmyk, .progressive = progressive});
  const std::string ycck = BuildJpeg({.width = 20,
                                      .height = 30,
                                      .color = JpegColor::kYcck,
                                      .sampling = {{2, 2}, {1, 1}, {1, 1}, {2, 2}},
                                      .progressive = progressive});
  std::string without_adobe = cmyk;
  without_adobe.erase(FindMarker(cmyk, kApp14), 16);
  for (const auto& [file, color] :
       {std::pair{cmyk, ColorModel::kAdobeCmyk}, std::pair{ycck, ColorModel::kAdobeYcck},
        std::pair{without_adobe, ColorModel::kCmyk}}) {
    const auto image = Read(file);
    REQUIRE(image.ok());
    CHECK(image->geometry.color == color);
    testutil::RequireSameCoefficients(*image, testutil::DecodePlainly(file));
  }
}

TEST_CASE("A height of zero is taken from DNL", "[jpeg]") {
  const std::string file = BuildJpeg({.width = 50, .height = 20, .sampling = {{2, 2}}});
  std::string changed = file;
  const size_t sof = FindMarker(changed, kSof0);
  changed[sof + 6] = 0;
  CHECK(ReasonOf(Read(changed).status()) == "CORRUPT_JPEG");
  const auto with_lines = [&](const std::string& dnl) {
    std::string result = changed;
    return result.insert(FindMarker(changed, kEoi, true), dnl);
  };
  const auto image = Read(with_lines(std::string("\xff\xdc\0\4\0\x14", 6)));
  REQUIRE(image.ok());
  testutil::RequireSameCoefficients(*image, testutil::DecodePlainly(file));
  CHECK(ReasonOf(Read(with_lines(std::string("\xff\xdc\0\4\0\0", 6))).status()) == "CORRUPT_JPEG");
  CHECK(ReasonOf(Read(with_lines(std::string("\xff\xdc\0\3\0", 5))).status()) == "CORRUPT_JPEG");
  CHECK(ReasonOf(Read(with_lines(std::string("\xff\xdc\0\4\xff\xff", 6)), {.pixels_max = 1000}).status()) ==
        "LIMIT_PIXELS");
}

TEST_CASE("A file of several images is its first", "[jpeg]") {
  const std::string file = BuildJpeg({.width = 50, .height = 20});
  const auto image = Read(file + BuildJpeg({.width = 10, .height = 10}));
  REQUIRE(image.ok());
  CHECK_FALSE(image->truncated);
  testutil::RequireSameCoefficients(*image, testutil::DecodePlainly(file));
}

TEST_CASE("A second frame is refused", "[jpeg]") {
  const std::string file = BuildJpeg({.width = 50, .height = 20});
  const size_t sof = FindMarker(file, kSof0);
  std::string frame = file.substr(sof, 19);
  frame[4] = GENERATE('\x08', '\x0c');
  std::string changed = file;
  CHECK(ReasonOf(Read(changed.insert(sof + 19, frame)).status()) == "CORRUPT_JPEG");
}

TEST_CASE("Coefficients keep their sign, size and place", "[jpeg]") {
  std::vector<std::vector<int16_t>> blocks(6, std::vector<int16_t>(kFrequencies));
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (size_t i = 0; i < kFrequencies; ++i) {
      blocks[b][i] = static_cast<int16_t>((i % 2 == 0 ? 1 : -1) * static_cast<int>(b * kFrequencies + i));
    }
  }
  const auto image = Read(testutil::BuildJpegFromBlocks(blocks, 3));
  REQUIRE(image.ok());
  REQUIRE(image->components[0].grid() == BlockGrid{3, 2});
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (size_t z = 0; z < kFrequencies; ++z) {
      CHECK(image->components[0].plane(static_cast<int>(z))[b] == blocks[b][kZigzagToNatural[z]]);
    }
  }
}

TEST_CASE("Arithmetic files are read", "[jpeg]") {
  const bool progressive = GENERATE(false, true);
  const std::string file = BuildJpeg({.width = 40,
                                      .height = 30,
                                      .sampling = {{2, 2}},
                                      .progressive = progressive,
                                      .arithmetic = true,
                                      .exif = {}});
  const auto image = Read(file);
  REQUIRE(image.ok());
  testutil::RequireSameCoefficients(*image, testutil::DecodePlainly(file));
}

TEST_CASE("The EXIF orientation is read", "[jpeg]") {
  const auto [stored, expected] = GENERATE(std::pair{1, 1}, std::pair{6, 6}, std::pair{8, 8}, std::pair{0, 1},
                                           std::pair{9, 1}, std::pair{65535, 1});
  const auto image =
      Read(BuildJpeg({.sampling = {}, .exif = LittleEndianExif(static_cast<uint16_t>(stored))}));
  REQUIRE(image.ok());
  CHECK(image->geometry.orientation == expected);
}

TEST_CASE("Bytes that are no JPEG are refused", "[jpeg]") {
  CHECK(ReasonOf(Read("").status()) == "EMPTY_FILE");
  CHECK(ReasonOf(Read("x").status()) == "NOT_A_JPEG");
  CHECK(ReasonOf(Read("GIF89a is not it").status()) == "NOT_A_JPEG");
  CHECK(ReasonOf(Read("\xff\xd8").status()) == "CORRUPT_JPEG");
  CHECK(ReasonOf(Read("\xff\xd8\xff\xd9").status()) == "CORRUPT_JPEG");
  CHECK(Read("").status().code() == absl::StatusCode::kInvalidArgument);
}

TEST_CASE("Kinds of JPEG that are not stored are refused by name", "[jpeg]") {
  std::string file = BuildJpeg({.color = JpegColor::kGrayscale, .sampling = {}, .exif = {}});
  const size_t sof = FindMarker(file, kSof0);
  std::string twelve_bits = file;
  twelve_bits[sof + 4] = 12;
  CHECK(ReasonOf(Read(twelve_bits).status()) == "UNSUPPORTED_JPEG");
  std::string nine_bits = file;
  nine_bits[sof + 4] = 9;
  CHECK(ReasonOf(Read(nine_bits).status()) == "CORRUPT_JPEG");
  std::string lossless = file;
  lossless[sof + 1] = '\xc3';
  CHECK(ReasonOf(Read(lossless).status()) == "UNSUPPORTED_JPEG");
}

TEST_CASE("The number of components must be one, three or four", "[jpeg]") {
  const auto [components, reason] =
      GENERATE(std::pair{0, "CORRUPT_JPEG"}, std::pair{2, "UNSUPPORTED_JPEG"},
               std::pair{5, "LIMIT_COMPONENTS"}, std::pair{10, "LIMIT_COMPONENTS"},
               std::pair{11, "LIMIT_COMPONENTS"}, std::pair{80, "LIMIT_COMPONENTS"});
  std::string file = BuildJpeg({.color = JpegColor::kGrayscale, .sampling = {}, .exif = {}});
  const size_t sof = FindMarker(file, kSof0);
  const size_t sof_bytes = 2 + 8 + 3;
  const std::string component = file.substr(sof + 10, 3);
  std::string header = file.substr(sof, 10);
  header[3] = static_cast<char>(8 + 3 * components);
  header[9] = static_cast<char>(components);
  for (int c = 0; c < components; ++c) {
    header += component;
    header[header.size() - 3] = static_cast<char>(c + 1);
  }
  file.replace(sof, sof_bytes, header);
  CHECK(ReasonOf(Read(file).status()) == reason);
}

TEST_CASE("An empty image is refused", "[jpeg]") {
  const size_t field = GENERATE(size_t{5}, size_t{7});  // the height and the width
  std::string file = BuildJpeg({.sampling = {}, .exif = {}});
  const size_t sof = FindMarker(file, kSof0);
  file[sof + field] = 0;
  file[sof + field + 1] = 0;
  CHECK(ReasonOf(Read(file).status()) == "CORRUPT_JPEG");
}

TEST_CASE("A quantiser step of zero is refused", "[jpeg]") {
  std::string file = BuildJpeg({.sampling = {}, .exif = {}});
  file[FindMarker(file, kDqt) + 5 + 20] = 0;
  CHECK(ReasonOf(Read(file).status()) == "CORRUPT_JPEG");
}

TEST_CASE("Sequential files without Huffman tables have the standard ones", "[jpeg]") {
  std::string file = BuildJpeg({.width = 50, .height = 20, .sampling = {{2, 1}}, .exif = {}});
  const auto with_tables = Read(file);
  REQUIRE(with_tables.ok());
  file.erase(FindMarker(file, kDht), FindMarker(file, kSos) - FindMarker(file, kDht));
  const auto without_tables = Read(file);
  REQUIRE(without_tables.ok());
  for (size_t c = 0; c < 3; ++c) {
    for (int z = 0; z < kFrequencies; ++z) {
      const auto expected = with_tables->components[c].plane(z);
      const auto plane = without_tables->components[c].plane(z);
      CHECK(std::equal(plane.begin(), plane.end(), expected.begin(), expected.end()));
    }
  }
}

TEST_CASE("Quantiser steps of 16 bits are kept", "[jpeg]") {
  const auto image = Read(BuildJpeg({.sampling = {}, .quality = 1, .exif = {}}));
  REQUIRE(image.ok());
  CHECK(image->geometry.components[0].quant[63] == 99 * 50);
  CHECK(image->quality == 1);
}

TEST_CASE("A file that ends early is read as far as it goes", "[jpeg]") {
  const bool progressive = GENERATE(false, true);
  const std::string file =
      BuildJpeg({.width = 200, .height = 200, .sampling = {}, .progressive = progressive, .exif = {}});
  const size_t first_scan = FindMarker(file, kSos);
  const size_t cut = GENERATE(size_t{30}, size_t{200}, size_t{1000});
  const std::string head = file.substr(0, first_scan + cut);
  const auto image = Read(head);
  REQUIRE(image.ok());
  CHECK(image->truncated);
  CHECK(image->warnings > 0);
  testutil::RequireSameCoefficients(*image, testutil::DecodePlainly(head));
}

TEST_CASE("A component without a scan is zero and the file truncated", "[jpeg]") {
  // One scan of the first component of three.
  std::string file = BuildJpeg({.color = JpegColor::kGrayscale, .sampling = {}, .exif = {}});
  const size_t sof = FindMarker(file, kSof0);
  std::string header = file.substr(sof, 13);
  header[3] = 8 + 3 * 3;
  header[9] = 3;
  header += std::string("\x02\x11\x00\x03\x11\x00", 6);
  file.replace(sof, 13, header);
  const auto image = Read(file);
  REQUIRE(image.ok());
  CHECK(image->truncated);
  REQUIRE(image->components.size() == 3);
  CHECK(image->geometry.components[1].quant[0] == 1);
  CHECK(image->components[1].plane(0)[0] == 0);
}

TEST_CASE("Nothing is printed about damage", "[jpeg]") {
  const std::string file = BuildJpeg({.width = 64, .height = 64, .sampling = {}, .exif = {}});
  std::FILE* capture = std::tmpfile();
  REQUIRE(capture != nullptr);
  std::fflush(stderr);
  const int saved = dup(STDERR_FILENO);
  dup2(fileno(capture), STDERR_FILENO);
  for (size_t i = 2; i < file.size(); ++i) {
    std::string damaged = file;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    (void)Read(damaged, {.pixels_max = 1 << 20});
  }
  std::fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  CHECK(std::fseek(capture, 0, SEEK_END) == 0);
  CHECK(std::ftell(capture) == 0);
  std::fclose(capture);
}

}  // namespace freqstore
