// Where the bytes of a dataset are, by frequency, for the eye.
#pragma once

#include <string>

#include "freqstore/v1/dataset.pb.h"

namespace freqstore::cli {

/// A grid of shades a component, u across and v down, with its total above and the meaning of the shades
/// below; empty if there are no bytes. In colour by terminal sequences, or in plain characters.
std::string HeatMap(const v1::DatasetStats& stats, bool color);

/// True if stdout is a terminal that may show colour (NO_COLOR is not set).
bool StdoutShowsColor();

}  // namespace freqstore::cli
