#include "storage/base/utf8.h"

#include <cstddef>
#include <cstdint>

namespace freqstore {
namespace {

struct Sequence {
  size_t continuation_bytes;
  uint32_t lead_bits;
  uint32_t smallest;  ///< code point that needs this length
};

bool Classify(unsigned char lead, Sequence& sequence) {
  if (lead < 0x80) {
    sequence = {0, lead, 0};
  } else if ((lead & 0xe0) == 0xc0) {
    sequence = {1, lead & 0x1fU, 0x80};
  } else if ((lead & 0xf0) == 0xe0) {
    sequence = {2, lead & 0x0fU, 0x800};
  } else if ((lead & 0xf8) == 0xf0) {
    sequence = {3, lead & 0x07U, 0x10000};
  } else {
    return false;
  }
  return true;
}

bool IsPrintable(uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return !control && !surrogate && code <= 0x10ffff;
}

}  // namespace

bool IsPrintableUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    Sequence sequence{};
    if (!Classify(static_cast<unsigned char>(text[i]), sequence)) return false;
    if (text.size() - i <= sequence.continuation_bytes) return false;
    uint32_t code = sequence.lead_bits;
    for (size_t j = 1; j <= sequence.continuation_bytes; ++j) {
      const auto byte = static_cast<unsigned char>(text[i + j]);
      if ((byte & 0xc0) != 0x80) return false;
      code = (code << 6) | (byte & 0x3fU);
    }
    if (code < sequence.smallest || !IsPrintable(code)) return false;
    i += 1 + sequence.continuation_bytes;
  }
  return true;
}

}  // namespace freqstore
