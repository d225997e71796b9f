// Images that were named and are not there.
#pragma once

#include <string>
#include <vector>

#include "client/cli/command.h"

namespace freqstore::cli {

/// Names the first few on stderr, in table form; the other forms have them in their records.
void PrintMissing(const Globals& globals, const std::vector<std::string>& image_ids);

}  // namespace freqstore::cli
