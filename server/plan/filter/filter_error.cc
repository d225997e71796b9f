#include "server/plan/filter/filter_error.h"

#include <algorithm>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/base/utf8.h"

namespace freqstore {
namespace {

// Characters shown on both sides of the place.
constexpr size_t kShownBefore = 60;
constexpr size_t kShownAfter = 40;
constexpr size_t kShownOfPiece = 40;

size_t CharacterBytes(std::string_view text) {
  return std::max<size_t>(1, PrintableCharacterBytes(text));
}

/// What stands for the character that `text` starts with.
std::string_view Shown(std::string_view text) {
  if (const size_t bytes = PrintableCharacterBytes(text); bytes > 0) return text.substr(0, bytes);
  return text.front() == '\n' || text.front() == '\t' || text.front() == '\r' ? " " : "?";
}

}  // namespace

absl::Status FilterError(std::string_view reason, std::string_view filter, size_t offset,
                         std::string_view what) {
  std::vector<std::string_view> characters;
  size_t column = 0;
  for (size_t i = 0; i < filter.size(); i += CharacterBytes(filter.substr(i))) {
    if (i < offset) ++column;
    characters.push_back(Shown(filter.substr(i)));
  }
  const size_t begin = column > kShownBefore ? column - kShownBefore : 0;
  const size_t end = std::min(characters.size(), column + kShownAfter);
  std::string line = begin > 0 ? "..." : "";
  const size_t caret = line.size() + column - begin;
  for (size_t i = begin; i < end; ++i) line += characters[i];
  if (end < characters.size()) line += "...";
  return MakeError(absl::StatusCode::kInvalidArgument, reason,
                   fmt::format("column {}: {}\n  {}\n  {:>{}}", column + 1, what, line, "^", caret + 1));
}

std::string Shorten(std::string_view text) {
  std::string shortened;
  for (size_t shown = 0; !text.empty(); ++shown) {
    if (shown == kShownOfPiece) return shortened + "...";
    shortened += Shown(text);
    text.remove_prefix(CharacterBytes(text));
  }
  return shortened;
}

}  // namespace freqstore
