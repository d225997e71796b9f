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

struct InferOptions {
  std::string dataset;
  std::string model;
  std::string fidelity = "standard";
  std::vector<std::string> images;
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
