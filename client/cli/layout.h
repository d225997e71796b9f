// Layouts by name.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "freqstore/v1/dataset.pb.h"

namespace freqstore::cli {

/// "balanced", "compact", "fast"; "unspecified" for anything else.
std::string LayoutName(v1::Layout layout);

/// Adds --layout.
CLI::Option* AddLayoutOption(CLI::App& command, v1::Layout& layout, const std::string& help);

/// What the layouts are for, a line each.
extern const char* const kLayoutHelp;

}  // namespace freqstore::cli
