#include "storage/codec/layout.h"

namespace freqstore {
namespace {

constexpr int kBalancedSide = 4;

}  // namespace

CodecId CodecOf(Layout layout, ColumnId column) {
  switch (layout) {
    case Layout::kFast:
      return CodecId::kBp32;
    case Layout::kCompact:
      return CodecId::kR32;
    case Layout::kBalanced:
      break;
  }
  const bool low = HorizontalFrequency(column.frequency) < kBalancedSide &&
                   VerticalFrequency(column.frequency) < kBalancedSide;
  return low ? CodecId::kBp32 : CodecId::kR32;
}

std::string_view LayoutName(Layout layout) {
  switch (layout) {
    case Layout::kBalanced:
      return "balanced";
    case Layout::kCompact:
      return "compact";
    case Layout::kFast:
      return "fast";
  }
  return "unknown";
}

std::optional<Layout> LayoutFromName(std::string_view name) {
  for (Layout layout : {Layout::kBalanced, Layout::kCompact, Layout::kFast}) {
    if (name == LayoutName(layout)) return layout;
  }
  return std::nullopt;
}

}  // namespace freqstore
