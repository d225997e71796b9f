// Codes the scans of a file anew, as other encoders than libjpeg would.
#pragma once

#include <functional>
#include <string>

#include "storage/jpeg/scan_exceptions.h"

namespace freqstore::testutil {

/// `file` with the entropy-coded data of each scan, and Huffman tables that have a code for every symbol,
/// written with the exceptions that `exceptions_of` gives for it. Those that a scan does not come to are left
/// out.
std::string Recode(const std::string& file,
                   const std::function<ScanExceptions(Bytes entropy)>& exceptions_of);

}  // namespace freqstore::testutil
