// Images as records.
#pragma once

#include "client/cli/command.h"

namespace freqstore::cli {

/// Attributes of its own are an object, "attributes".
Json ToJson(const v1::Image& image);

}  // namespace freqstore::cli
