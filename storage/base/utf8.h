// UTF-8 checks for names that clients choose.
#pragma once

#include <cstddef>
#include <string_view>

namespace freqstore {

/// Bytes of the character that `text` starts with: well-formed UTF-8 and not a control character. 0 if it
/// starts with none.
size_t PrintableCharacterBytes(std::string_view text);

/// True for well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates) without control characters.
bool IsPrintableUtf8(std::string_view text);

}  // namespace freqstore
