// UTF-8 checks for names that clients choose.
#pragma once

#include <string_view>

namespace freqstore {

/// True for well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates) without control characters.
bool IsPrintableUtf8(std::string_view text);

}  // namespace freqstore
