#include "tests/testutil/jpeg_builder.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

// libjpeg's header needs <cstdio> before it.
#include <jpeglib.h>

namespace freqstore::testutil {
namespace {

J_COLOR_SPACE ColorSpaceOf(JpegColor color) {
  switch (color) {
    case JpegColor::kGrayscale:
      return JCS_GRAYSCALE;
    case JpegColor::kYCbCr:
      return JCS_YCbCr;
    case JpegColor::kRgb:
      return JCS_RGB;
    case JpegColor::kCmyk:
      return JCS_CMYK;
    case JpegColor::kYcck:
      return JCS_YCCK;
  }
  return JCS_UNKNOWN;
}

int ComponentsOf(JpegColor color) {
  if (color == JpegColor::kGrayscale) return 1;
  return color == JpegColor::kCmyk || color == JpegColor::kYcck ? 4 : 3;
}

/// A smooth pattern with some detail, different in each component.
uint8_t Sample(int x, int y, int component) {
  return static_cast<uint8_t>(((x * 7 + component * 50) ^ (y * 5 + x * y / 9)) & 0xff);
}

/// A compressor that writes to memory; an error ends the test program.
class Compressor {
 public:
  Compressor() {
    info_.err = jpeg_std_error(&errors_);
    errors_.emit_message = [](j_common_ptr, int) {};
    jpeg_create_compress(&info_);
    jpeg_mem_dest(&info_, &bytes_, &size_);
  }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  ~Compressor() {
    jpeg_destroy_compress(&info_);
    std::free(bytes_);
  }

  jpeg_compress_struct* info() { return &info_; }

  std::string Finish() {
    jpeg_finish_compress(&info_);
    return {reinterpret_cast<const char*>(bytes_), size_};
  }

 private:
  jpeg_compress_struct info_{};
  jpeg_error_mgr errors_{};
  unsigned char* bytes_ = nullptr;
  unsigned long size_ = 0;
};

std::vector<jpeg_scan_info> ScanScript(const std::vector<JpegScan>& scans) {
  std::vector<jpeg_scan_info> script;
  for (const JpegScan& scan : scans) {
    jpeg_scan_info& info = script.emplace_back();
    info.comps_in_scan = static_cast<int>(scan.components.size());
    std::copy(scan.components.begin(), scan.components.end(), info.component_index);
    info.Ss = scan.spectral_start;
    info.Se = scan.spectral_end;
    info.Ah = scan.approximation_high;
    info.Al = scan.approximation_low;
  }
  return script;
}

/// Writes the samples of one row of MCUs, of each component at its own size.
void WriteMcuRow(jpeg_compress_struct* info) {
  std::vector<std::vector<JSAMPLE>> samples;  // one element a row, padded to whole blocks
  std::vector<std::vector<JSAMPROW>> rows(static_cast<size_t>(info->num_components));
  const JDIMENSION mcu_row = info->next_scanline / static_cast<JDIMENSION>(info->max_v_samp_factor * DCTSIZE);
  for (int c = 0; c < info->num_components; ++c) {
    const jpeg_component_info& component = info->comp_info[c];
    const JDIMENSION height = static_cast<JDIMENSION>(component.v_samp_factor * DCTSIZE);
    for (JDIMENSION y = 0; y < height; ++y) {
      std::vector<JSAMPLE>& row = samples.emplace_back(component.width_in_blocks * DCTSIZE);
      for (size_t x = 0; x < row.size(); ++x) {
        row[x] = Sample(static_cast<int>(x), static_cast<int>(mcu_row * height + y), c);
      }
      rows[static_cast<size_t>(c)].push_back(row.data());
    }
  }
  JSAMPARRAY planes[MAX_COMPONENTS];
  for (size_t c = 0; c < rows.size(); ++c) planes[c] = rows[c].data();
  jpeg_write_raw_data(info, planes, static_cast<JDIMENSION>(info->max_v_samp_factor * DCTSIZE));
}

}  // namespace

std::string BuildJpeg(const JpegSpec& spec) {
  Compressor compressor;
  jpeg_compress_struct* info = compressor.info();
  const int components = ComponentsOf(spec.color);
  info->image_width = static_cast<JDIMENSION>(spec.width);
  info->image_height = static_cast<JDIMENSION>(spec.height);
  info->input_components = components;
  info->in_color_space = ColorSpaceOf(spec.color);
  jpeg_set_defaults(info);
  jpeg_set_colorspace(info, ColorSpaceOf(spec.color));
  jpeg_set_quality(info, spec.quality, FALSE);
  for (int c = 0; c < components; ++c) {
    const auto index = static_cast<size_t>(c);
    const auto [h, v] = index < spec.sampling.size() ? spec.sampling[index] : std::pair{1, 1};
    info->comp_info[c].h_samp_factor = h;
    info->comp_info[c].v_samp_factor = v;
  }
  if (spec.progressive) jpeg_simple_progression(info);
  const std::vector<jpeg_scan_info> scans = ScanScript(spec.scans);
  if (!scans.empty()) {
    info->scan_info = scans.data();
    info->num_scans = static_cast<int>(scans.size());
  }
  info->restart_interval = spec.restart_interval;
  info->optimize_coding = spec.optimized ? TRUE : FALSE;
  info->raw_data_in = TRUE;  // libjpeg's own downsampling knows whole ratios only
  info->arith_code = spec.arithmetic ? TRUE : FALSE;
  if (!spec.jfif) info->write_JFIF_header = FALSE;
  jpeg_start_compress(info, TRUE);
  if (!spec.exif.empty()) {
    jpeg_write_marker(info, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(spec.exif.data()),
                      static_cast<unsigned>(spec.exif.size()));
  }
  while (info->next_scanline < info->image_height) WriteMcuRow(info);
  return compressor.Finish();
}

std::string BuildJpegFromBlocks(const std::vector<std::vector<int16_t>>& blocks, int blocks_wide,
                                bool progressive) {
  Compressor compressor;
  jpeg_compress_struct* info = compressor.info();
  const auto wide = static_cast<JDIMENSION>(blocks_wide);
  const auto high = static_cast<JDIMENSION>(blocks.size()) / wide;
  info->image_width = wide * DCTSIZE;
  info->image_height = high * DCTSIZE;
  info->input_components = 1;
  info->in_color_space = JCS_GRAYSCALE;
  jpeg_set_defaults(info);
  if (progressive) jpeg_simple_progression(info);
  jvirt_barray_ptr array =
      info->mem->request_virt_barray(reinterpret_cast<j_common_ptr>(info), JPOOL_IMAGE, TRUE, wide, high, 1);
  jpeg_write_coefficients(info, &array);
  for (JDIMENSION y = 0; y < high; ++y) {
    JBLOCKARRAY rows = info->mem->access_virt_barray(reinterpret_cast<j_common_ptr>(info), array, y, 1, TRUE);
    for (JDIMENSION x = 0; x < wide; ++x) {
      for (size_t i = 0; i < DCTSIZE2; ++i) rows[0][x][i] = blocks[y * wide + x][i];
    }
  }
  return compressor.Finish();
}

}  // namespace freqstore::testutil
