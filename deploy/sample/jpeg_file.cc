#include "deploy/sample/jpeg_file.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <jpeglib.h>
#include <memory>
#include <vector>

namespace freqstore::sample {
namespace {

JSAMPLE ToSample(float value) {
  const float rounded_up = std::clamp(value, 0.0F, 1.0F) * 255 + 0.5F;
  return static_cast<JSAMPLE>(rounded_up);
}

void ApplySettings(jpeg_compress_struct& cinfo, const JpegSettings& settings) {
  jpeg_set_defaults(&cinfo);
  jpeg_set_colorspace(&cinfo, settings.grayscale ? JCS_GRAYSCALE : JCS_YCbCr);
  jpeg_set_quality(&cinfo, settings.quality, TRUE);
  const int factor = settings.halve_chroma && !settings.grayscale ? 2 : 1;
  cinfo.comp_info[0].h_samp_factor = factor;
  cinfo.comp_info[0].v_samp_factor = factor;
  if (settings.progressive) jpeg_simple_progression(&cinfo);
}

}  // namespace

std::string EncodeJpeg(const Picture& picture, const JpegSettings& settings) {
  // The default error handler ends the program: with these inputs only lack of memory can be wrong.
  jpeg_error_mgr errors;
  jpeg_compress_struct cinfo;
  cinfo.err = jpeg_std_error(&errors);
  jpeg_create_compress(&cinfo);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&cinfo, &bytes, &size);
  cinfo.image_width = static_cast<JDIMENSION>(picture.width());
  cinfo.image_height = static_cast<JDIMENSION>(picture.height());
  cinfo.input_components = 3;
  cinfo.in_color_space = JCS_RGB;
  ApplySettings(cinfo, settings);

  jpeg_start_compress(&cinfo, TRUE);
  std::vector<JSAMPLE> row(static_cast<size_t>(picture.width()) * 3);
  for (int y = 0; y < picture.height(); ++y) {
    auto out = row.begin();
    for (int x = 0; x < picture.width(); ++x) {
      const Colour& c = picture.at(x, y);
      for (float value : {c.r, c.g, c.b}) *out++ = ToSample(value);
    }
    JSAMPROW rows = row.data();
    jpeg_write_scanlines(&cinfo, &rows, 1);
  }
  jpeg_finish_compress(&cinfo);
  jpeg_destroy_compress(&cinfo);
  const std::unique_ptr<unsigned char, decltype(&std::free)> owner(bytes, &std::free);
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace freqstore::sample
