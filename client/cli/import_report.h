// What an import tells its user.
#pragma once

#include <chrono>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <string>

#include "client/cli/command.h"
#include "client/cli/progress.h"

namespace freqstore::cli {

/// Counts outcomes, prints them as JSON lines if asked for, keeps the refused ones. Thread-safe.
class ImportReport {
 public:
  /// Of `total` files. Refused ones are written to the file `rejects` unless that is empty. Throws
  /// CommandError (CANNOT_WRITE).
  ImportReport(const Globals& globals, const std::string& rejects, uint64_t total);

  void Sent(uint64_t bytes);
  void Acknowledged(const v1::ImportAcknowledgement& acknowledgement);
  /// Before something else is printed on stderr.
  void MakeWay() { progress_.Clear(); }
  void Refused(const std::string& image_id, const std::string& reason, const std::string& message);

  /// How a file of attributes and the images fit together.
  struct AttributeCounts {
    uint64_t images_without_line = 0;
    uint64_t lines_without_image = 0;
  };
  /// Prints the summary and gives the exit code. `attributes` is null where there is no such file.
  int End(const AttributeCounts* attributes);

 private:
  void PrintLine(const std::string& image_id, const std::string& status, const std::string& message) const;

  const Format format_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Progress progress_;
  std::mutex mutex_;
  std::ofstream rejects_;
  uint64_t imported_ = 0;
  uint64_t already_present_ = 0;
  uint64_t refused_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace freqstore::cli
