#include "tests/storage/jpeg/plain_decoder.h"

#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <memory>
#include <stdexcept>

// libjpeg's header needs <cstdio> before it.
#include <jpeglib.h>

namespace freqstore::testutil {
namespace {

struct Decoder {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  std::jmp_buf on_error{};
  char message[JMSG_LENGTH_MAX] = "";
  ~Decoder() { jpeg_destroy_decompress(&info); }
};

void OnError(j_common_ptr info) {
  auto* decoder = static_cast<Decoder*>(info->client_data);
  info->err->format_message(info, decoder->message);
  std::longjmp(decoder->on_error, 1);
}

jvirt_barray_ptr* ReadArrays(Decoder* decoder, const unsigned char* bytes, unsigned long size) {
  if (setjmp(decoder->on_error) != 0) return nullptr;
  jpeg_create_decompress(&decoder->info);
  jpeg_mem_src(&decoder->info, bytes, size);
  jpeg_read_header(&decoder->info, TRUE);
  return jpeg_read_coefficients(&decoder->info);
}

}  // namespace

PlainImage DecodePlainly(const std::string& file) {
  const auto decoder = std::make_unique<Decoder>();
  jpeg_decompress_struct& info = decoder->info;
  info.err = jpeg_std_error(&decoder->errors);
  info.err->error_exit = OnError;
  info.err->output_message = [](j_common_ptr) {};
  info.client_data = decoder.get();
  jvirt_barray_ptr* arrays =
      ReadArrays(decoder.get(), reinterpret_cast<const unsigned char*>(file.data()), file.size());
  if (arrays == nullptr) throw std::runtime_error(decoder->message);

  PlainImage image{.width = info.image_width, .height = info.image_height, .components = {}};
  for (int c = 0; c < info.num_components; ++c) {
    const jpeg_component_info& source = info.comp_info[c];
    PlainComponent component{.width_blocks = source.width_in_blocks,
                             .height_blocks = source.height_in_blocks,
                             .quant = {},
                             .blocks = {}};
    if (source.quant_table != nullptr) {
      component.quant.assign(std::begin(source.quant_table->quantval),
                             std::end(source.quant_table->quantval));
    }
    for (JDIMENSION y = 0; y < source.height_in_blocks; ++y) {
      JBLOCKARRAY rows =
          info.mem->access_virt_barray(reinterpret_cast<j_common_ptr>(&info), arrays[c], y, 1, FALSE);
      for (JDIMENSION x = 0; x < source.width_in_blocks; ++x) {
        component.blocks.emplace_back(std::begin(rows[0][x]), std::end(rows[0][x]));
      }
    }
    image.components.push_back(std::move(component));
  }
  return image;
}

}  // namespace freqstore::testutil
