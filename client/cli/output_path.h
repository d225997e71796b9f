// Where a command writes the files of an image.
#pragma once

#include <filesystem>
#include <string>

namespace freqstore::cli {

/// `folder`/`image_id` with another suffix, its folders made. An id cannot lead out of the folder: throws
/// CommandError (UNSAFE_IMAGE_ID) for ids with `..`. CANNOT_WRITE.
std::filesystem::path OutputPath(const std::filesystem::path& folder, const std::string& image_id,
                                 const std::string& suffix);

}  // namespace freqstore::cli
