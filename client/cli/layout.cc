#include "client/cli/layout.h"

#include <map>

namespace freqstore::cli {
namespace {

const std::map<std::string, v1::Layout>& Layouts() {
  static const std::map<std::string, v1::Layout> kLayouts = {
      {"balanced", v1::LAYOUT_BALANCED}, {"compact", v1::LAYOUT_COMPACT}, {"fast", v1::LAYOUT_FAST}};
  return kLayouts;
}

}  // namespace

const char* const kLayoutHelp =
    R"(Layouts:
  balanced  small, low frequencies at full speed: bit packing for the low 4x4, entropy coding for the rest
  compact   smallest: entropy coding for every column
  fast      largest, fastest: bit packing for every column
)";

std::string LayoutName(v1::Layout layout) {
  for (const auto& [name, value] : Layouts()) {
    if (value == layout) return name;
  }
  return "unspecified";
}

CLI::Option* AddLayoutOption(CLI::App& command, v1::Layout& layout, const std::string& help) {
  return command.add_option("--layout", layout, help)
      ->type_name("LAYOUT")
      ->transform(CLI::CheckedTransformer(Layouts()).description(""));
}

}  // namespace freqstore::cli
