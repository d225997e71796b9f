// The files that an import is about.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace freqstore::cli {

struct ImportSource {
  std::filesystem::path path;
  std::string image_id;  ///< relative to the PATH it was found under
};

/// Files, and those in folders, ascending by id. Throws CommandError (CANNOT_READ, NOTHING_TO_IMPORT).
std::vector<ImportSource> FindImportSources(const std::vector<std::string>& paths, bool recursive);

}  // namespace freqstore::cli
