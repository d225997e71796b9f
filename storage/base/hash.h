// Hashes: XXH3 for integrity of what is on disk, SHA-256 for the identity of a file.
#pragma once

#include <cstdint>
#include <string>

#include "storage/base/coding.h"

namespace freqstore {

/// XXH3-64 with seed 0.
uint64_t Checksum64(Bytes bytes);

/// SHA-256 as 32 raw bytes.
std::string Sha256(Bytes bytes);

}  // namespace freqstore
