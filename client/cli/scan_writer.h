// Rows of a scan as files.
#pragma once

#include <filesystem>
#include <string>

#include "freqstore/v1/query.pb.h"

namespace freqstore::cli {

/// Writes a PNG. Throws CommandError (CANNOT_WRITE).
void WritePng(const std::filesystem::path& path, const v1::Pixels& pixels);

/// Writes a NumPy .npy file: int16 of shape [frequencies, height_blocks, width_blocks]. Throws CommandError
/// (CANNOT_WRITE).
void WriteNpy(const std::filesystem::path& path, const v1::ComponentCoefficients& component);

}  // namespace freqstore::cli
