// Faults of file operations, for tests that are linked to freqstore_failing_io: see failing_io.cc.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/testutil/temp_folder.h"

namespace freqstore::testutil {

class FaultControl {
 public:
  FaultControl() { setenv("FREQSTORE_FAULTS", path().c_str(), 1); }
  ~FaultControl() { unsetenv("FREQSTORE_FAULTS"); }
  FaultControl(const FaultControl&) = delete;
  FaultControl& operator=(const FaultControl&) = delete;

  /// `faults` are lines as failing_io.cc describes them. They replace all earlier ones at once.
  void Set(const std::string& faults) const {
    std::ofstream(path() + ".new") << faults;
    std::filesystem::rename(path() + ".new", path());
  }
  void Clear() const { Set(""); }

 private:
  std::string path() const { return (folder_.path() / "faults").string(); }

  TempFolder folder_;
};

}  // namespace freqstore::testutil
