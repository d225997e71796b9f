// Options that query commands share.
#pragma once

#include <string>
#include <vector>

#include "client/cli/command.h"

namespace freqstore::cli {

/// "exact", "standard", "reduced", "lossy:N". Throws CLI::ValidationError.
v1::Fidelity ParseFidelity(const std::string& text);

/// "k/8" with k from 1 to 8, or just k. Throws CLI::ValidationError.
uint32_t ParseScale(const std::string& text);

/// Which images a command is about: all, those named, or those for which a filter holds.
struct Selection {
  std::vector<std::string> images;
  std::string filter;
};

/// Adds --image and --filter, of which one may be given.
void AddSelectionOptions(CLI::App& command, Selection& selection);
/// What the help of commands says of filters.
extern const char* const kFilterHelp;

struct InferOptions {
  std::string dataset;
  std::string model;
  std::string fidelity = "standard";
  Selection selection;
  uint32_t top = 1;
  bool raw = false;
  bool ignore_orientation = false;
};

/// Adds what infer and explain have in common.
void AddInferOptions(CLI::App& command, InferOptions& options);
v1::InferRequest ToRequest(const InferOptions& options);

/// One line about a finished query, for stderr.
std::string Summary(const v1::QueryStats& stats);

}  // namespace freqstore::cli
