// What an export tells its user.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "client/cli/command.h"
#include "client/cli/progress.h"

namespace freqstore::cli {

/// Prints, and counts, what becomes of each image. Not thread-safe.
class ExportReport {
 public:
  ExportReport(const Globals& globals, uint64_t total);

  void Written(const std::string& image_id, const std::filesystem::path& path, uint64_t bytes);
  void ThereBefore();
  void Failed(const std::string& image_id, const std::string& reason, const std::string& message);
  /// Before something else is printed on stderr.
  void MakeWay() { progress_.Clear(); }
  /// Prints the summary and gives the exit code.
  int End(const std::string& out);

 private:
  void Print(Json record);

  const Format format_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  RecordPrinter printer_;
  Progress progress_;
  uint64_t written_ = 0;
  uint64_t there_before_ = 0;
  uint64_t failed_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace freqstore::cli
