// The orientation in a file's EXIF data, read without trust in any of it.
#pragma once

#include <cstdint>
#include <optional>

#include "storage/base/coding.h"

namespace freqstore {

/// The orientation, 1..8, that the payload of an APP1 marker gives (what follows the marker's length).
///
/// nullopt if the payload is not EXIF or names no orientation in its first IFD; 1 if it names an invalid one.
/// An IFD that claims more entries than there are bytes is read as far as it goes.
std::optional<uint8_t> ParseExifOrientation(Bytes app1);

}  // namespace freqstore
