// What needs the operator's attention.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/engine/storage_engine.h"

namespace freqstore {

struct Alarm {
  std::string reason;  ///< stable, as in errors
  std::string message;
  int64_t since_us = 0;  ///< microseconds since 1970-01-01 UTC; 0 if not known
};

/// Refused writes and quarantined segments.
std::vector<Alarm> CurrentAlarms(StorageEngine& engine);

}  // namespace freqstore
