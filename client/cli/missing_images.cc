#include "client/cli/missing_images.h"

#include "fmt/core.h"

namespace freqstore::cli {

void PrintMissing(const Globals& globals, const std::vector<std::string>& image_ids) {
  constexpr size_t kShown = 10;
  if (globals.format != Format::kTable) return;
  for (size_t i = 0; i < image_ids.size() && i < kShown; ++i)
    fmt::print(stderr, "there is no image {}\n", image_ids[i]);
  if (image_ids.size() > kShown)
    fmt::print(stderr, "... and {} more; --format json lists all\n", image_ids.size() - kShown);
}

}  // namespace freqstore::cli
