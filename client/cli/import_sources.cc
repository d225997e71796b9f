#include "client/cli/import_sources.h"

#include <algorithm>

#include "client/cli/command.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

namespace fs = std::filesystem;

void AddFolder(const fs::path& folder, bool recursive, std::vector<ImportSource>& sources) {
  const auto add = [&](const fs::directory_entry& entry) {
    if (entry.is_regular_file())
      sources.push_back({entry.path(), fs::relative(entry.path(), folder).generic_string()});
  };
  if (recursive) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) add(entry);
  } else {
    for (const auto& entry : fs::directory_iterator(folder)) add(entry);
  }
}

}  // namespace

std::vector<ImportSource> FindImportSources(const std::vector<std::string>& paths, bool recursive) {
  std::vector<ImportSource> sources;
  for (const fs::path path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      AddFolder(path, recursive, sources);
    } else if (fs::exists(path, error)) {
      sources.push_back({path, path.filename().string()});
    } else {
      throw CommandError("CANNOT_READ", fmt::format("there is no file or folder {}", path.string()));
    }
  }
  if (sources.empty()) {
    throw CommandError("NOTHING_TO_IMPORT", "no files found; --recursive also looks into the folders below");
  }
  std::ranges::sort(sources, {}, &ImportSource::image_id);
  return sources;
}

}  // namespace freqstore::cli
