#pragma once

#include <string>

namespace freqstore::cli {

/// SHA-256 as 32 raw bytes.
std::string Sha256(const std::string& bytes);

}  // namespace freqstore::cli
