#include "client/cli/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <unistd.h>

#include "client/cli/output.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

constexpr size_t kSide = 8;
constexpr size_t kShades = 8;
constexpr std::string_view kPlainShades = ".:-=+*#@";
/// Of the 256-colour palette: from dark violet over red to yellow.
constexpr std::array<int, kShades> kColors = {53, 54, 90, 126, 161, 203, 215, 228};
constexpr std::string_view kGap = "    ";

// Zigzag index of natural index 8 * v + u.
constexpr std::array<int, kSide* kSide> kZigzag = {
    0,  1,  5,  6,  14, 15, 27, 28, 2,  4,  7,  13, 16, 26, 29, 42, 3,  8,  12, 17, 25, 30,
    41, 43, 9,  11, 18, 24, 31, 40, 44, 53, 10, 19, 23, 32, 39, 45, 52, 54, 20, 22, 33, 38,
    46, 51, 55, 60, 21, 34, 37, 47, 50, 56, 59, 61, 35, 36, 48, 49, 57, 58, 62, 63};

/// Two columns wide, so that a cell is about square.
std::string Cell(size_t shade, bool color) {
  if (color) return fmt::format("\033[48;5;{}m  \033[0m", kColors[shade]);
  return std::string(2, kPlainShades[shade]);
}

/// Even steps of the square root: small columns are many, and differ.
size_t ShadeOf(uint64_t bytes, uint64_t most) {
  const double share = std::sqrt(double(bytes) / double(most));
  return std::min(static_cast<size_t>(share * kShades), kShades - 1);
}

uint64_t Total(const v1::ComponentStats& component) {
  return std::accumulate(component.bytes_by_frequency().begin(), component.bytes_by_frequency().end(),
                         uint64_t{0});
}

}  // namespace

std::string HeatMap(const v1::DatasetStats& stats, bool color) {
  uint64_t most = 0;
  std::string titles;
  for (int c = 0; c < stats.components_size(); ++c) {
    const v1::ComponentStats& component = stats.components(c);
    most = std::max(most, *std::ranges::max_element(component.bytes_by_frequency()));
    const std::string title = fmt::format("{}: {}", c, HumanBytes(double(Total(component))));
    titles += fmt::format("{}{:<{}}", c == 0 ? "" : kGap, title, 2 * kSide);
  }
  if (most == 0) return {};
  std::string text = "bytes by frequency, u across, v down; a grid a component\n" + titles + '\n';
  for (size_t v = 0; v < kSide; ++v) {
    for (int c = 0; c < stats.components_size(); ++c) {
      if (c > 0) text += kGap;
      for (size_t u = 0; u < kSide; ++u) {
        text += Cell(ShadeOf(stats.components(c).bytes_by_frequency(kZigzag[kSide * v + u]), most), color);
      }
    }
    text += '\n';
  }
  text += "up to";
  for (size_t shade = 0; shade < kShades; ++shade) {
    const double share = double(shade + 1) / double(kShades);
    text += fmt::format(" {} {}", Cell(shade, color), HumanBytes(share * share * double(most)));
  }
  return text + '\n';
}

bool StdoutShowsColor() {
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr && term != nullptr &&
         std::string_view(term) != "dumb";
}

}  // namespace freqstore::cli
