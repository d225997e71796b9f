#include "client/cli/scan_writer.h"

#include <fstream>
#include <png.h>

#include "client/cli/command.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

void WritePng(const fs::path& path, const v1::Pixels& pixels) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = pixels.width();
  image.height = pixels.height();
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  if (png_image_write_to_file(&image, path.c_str(), 0, pixels.rgb().data(), 0, nullptr) == 0) {
    throw CommandError("CANNOT_WRITE", fmt::format("cannot write {}: {}", path.string(), image.message));
  }
}

void WriteNpy(const fs::path& path, const v1::ComponentCoefficients& component) {
  // NumPy format 1.0: magic, version, header length (little-endian), header padded so that data is 64-byte
  // aligned.
  constexpr size_t kPreambleBytes = 10;
  std::string header =
      fmt::format("{{'descr': '<i2', 'fortran_order': False, 'shape': ({}, {}, {}), }}",
                  component.frequencies_size(), component.height_blocks(), component.width_blocks());
  header.append(63 - (kPreambleBytes + header.size()) % 64, ' ');
  header.push_back('\n');
  std::string preamble("\x93NUMPY\x01\x00", 8);
  preamble.push_back(static_cast<char>(header.size() & 0xff));
  preamble.push_back(static_cast<char>(header.size() >> 8));
  std::ofstream out(path, std::ios::binary);
  out << preamble << header << component.values();
  out.close();
  if (!out) throw CommandError("CANNOT_WRITE", fmt::format("cannot write {}", path.string()));
}

}  // namespace freqstore::cli
