// Text that may travel.
#pragma once

#include <string_view>

namespace freqstore::cli {

/// A string in a message that is not UTF-8 would end its whole stream.
bool IsUtf8(std::string_view text);

}  // namespace freqstore::cli
