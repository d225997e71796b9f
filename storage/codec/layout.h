// Which codec stores which column: a dataset's choice between speed and size.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "storage/codec/column.h"
#include "storage/codec/column_codec.h"

namespace freqstore {

/// Values are stored: never renumber.
enum class Layout : uint8_t {
  kBalanced = 1,  ///< bp32 for the low 4x4 frequencies of each component, r32 for the rest
  kCompact = 2,   ///< r32
  kFast = 3,      ///< bp32
};

inline constexpr Layout kDefaultLayout = Layout::kBalanced;

CodecId CodecOf(Layout layout, ColumnId column);

/// "balanced", "compact" or "fast".
std::string_view LayoutName(Layout layout);
std::optional<Layout> LayoutFromName(std::string_view name);

}  // namespace freqstore
