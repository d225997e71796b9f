#include "client/cli/output_path.h"

#include "client/cli/command.h"
#include "fmt/format.h"

namespace freqstore::cli {

namespace fs = std::filesystem;

fs::path OutputPath(const fs::path& folder, const std::string& image_id, const std::string& suffix) {
  const fs::path relative = fs::path(image_id).relative_path().lexically_normal();
  if (relative.empty() || *relative.begin() == "..") {
    throw CommandError("UNSAFE_IMAGE_ID",
                       fmt::format("'{}' would be written outside the output folder", image_id));
  }
  fs::path path = folder / relative;
  path += suffix;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error)
    throw CommandError("CANNOT_WRITE",
                       fmt::format("cannot make {}: {}", path.parent_path().string(), error.message()));
  return path;
}

}  // namespace freqstore::cli
