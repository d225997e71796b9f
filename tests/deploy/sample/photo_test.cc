#include "deploy/sample/photo.h"

#include <cstdio>
#include <jpeglib.h>

#include <catch2/catch_test_macros.hpp>

#include "deploy/sample/subject.h"

namespace freqstore::sample {
namespace {

TEST_CASE("a photo is the same every time, and another for another seed or number") {
  const Photo photo = MakePhoto(1, 7);
  CHECK(MakePhoto(1, 7).jpeg == photo.jpeg);
  CHECK(MakePhoto(2, 7).jpeg != photo.jpeg);
  CHECK(MakePhoto(1, 17).jpeg != photo.jpeg);
}

TEST_CASE("classes take turns") {
  const auto classes = static_cast<int>(kClassNames.size());
  for (int index = 0; index < classes + 2; ++index) {
    CHECK(MakePhoto(3, static_cast<uint32_t>(index)).class_index == index % classes);
  }
}

TEST_CASE("photos are JPEG files of photo size") {
  for (uint32_t index = 0; index < 10; ++index) {
    const std::string jpeg = MakePhoto(4, index).jpeg;
    CHECK(jpeg.size() > 10'000);
    jpeg_error_mgr errors;
    jpeg_decompress_struct cinfo;
    cinfo.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&cinfo);
    jpeg_mem_src(&cinfo, reinterpret_cast<const unsigned char*>(jpeg.data()), jpeg.size());
    CHECK(jpeg_read_header(&cinfo, TRUE) == JPEG_HEADER_OK);
    CHECK(cinfo.image_width >= 320);
    CHECK(cinfo.image_height >= 320);
    jpeg_destroy_decompress(&cinfo);
  }
}

}  // namespace
}  // namespace freqstore::sample
