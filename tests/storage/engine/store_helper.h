// A storage engine in a temporary folder, and the common steps of its tests.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "storage/engine/storage_engine.h"
#include "tests/testutil/jpeg_builder.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore::testutil {

/// A small file whose content depends on `seed`.
std::string SmallJpeg(int seed, int width = 40, int height = 24);

class StoreHelper {
 public:
  explicit StoreHelper(ImportOptions import = {});

  StorageEngine& engine() { return *engine_; }
  const std::filesystem::path& data_dir() const { return options_.data_dir; }
  void Close() { engine_.reset(); }
  absl::Status Open();
  /// For the next opening.
  StorageOptions& options() { return options_; }

  struct File {
    std::string image_id;
    std::string file;
    NamedValues attributes = {};
  };
  /// Imports files and gives id -> reason ("OK", or "PRESENT" where it was there before).
  std::map<std::string, std::string> ImportFiles(const std::string& dataset, const std::vector<File>& files);
  std::map<std::string, std::string> Import(const std::string& dataset,
                                            const std::vector<std::pair<std::string, std::string>>& files);

  /// Flushes, and fails the test if that fails.
  void Flush(const std::string& dataset);

  /// Every image of the dataset by id, with all coefficients. Fails the test if an id comes twice.
  using Images = std::map<std::string, std::vector<CoefficientPlanes>>;
  Images ReadAll(const std::string& dataset);
  static Images ReadAll(const DatasetSnapshot& snapshot);

 private:
  TempFolder folder_;
  StorageOptions options_;
  std::unique_ptr<StorageEngine> engine_;
};

/// True if both have the same planes with the same values.
bool SamePlanes(const std::vector<CoefficientPlanes>& a, const std::vector<CoefficientPlanes>& b);

}  // namespace freqstore::testutil
