#include "storage/base/utf8.h"

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

size_t PrintableCharacterBytes(std::string_view text) {
  Sequence sequence{};
  if (text.empty() || !Classify(static_cast<unsigned char>(text[0]), sequence)) return 0;
  if (text.size() <= sequence.continuation_bytes) return 0;
  uint32_t code = sequence.lead_bits;
  for (size_t i = 1; i <= sequence.continuation_bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return 0;
    code = (code << 6) | (byte & 0x3fU);
  }
  return code >= sequence.smallest && IsPrintable(code) ? 1 + sequence.continuation_bytes : 0;
}

bool IsPrintableUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t bytes = PrintableCharacterBytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace freqstore
