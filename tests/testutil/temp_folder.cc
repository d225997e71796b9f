#include "tests/testutil/temp_folder.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace freqstore::testutil {

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "freqstore-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace freqstore::testutil
