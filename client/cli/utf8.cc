#include "client/cli/utf8.h"

#include <string>

#include "client/cli/output.h"

namespace freqstore::cli {

bool IsUtf8(std::string_view text) {
  try {
    (void)Json(std::string(text)).dump();
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

}  // namespace freqstore::cli
