// freqstored's options: flags over FREQSTORE_* variables over a TOML file over defaults.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <variant>

#include "server/rpc/service_context.h"
#include "storage/engine/storage_engine.h"

namespace freqstore {

struct ServerOptions {
  StorageOptions storage;
  ServiceLimits limits;
  std::string listen = "127.0.0.1:8001";
  std::string metrics_listen;  ///< no metrics if empty
  size_t workers = std::max(1U, std::thread::hardware_concurrency());
  uint64_t bytes_in_flight_max = uint64_t{256}
                                 << 20;  ///< of chunks read and not yet decoded, over all queries
  uint32_t drain_seconds = 30;
  std::filesystem::path restore_from;  ///< checkpoint to restore before serving; none if empty
};

/// Options to run with, or the exit code to end with (after --help, --version or a usage error, which are
/// printed).
std::variant<ServerOptions, int> ParseServerOptions(int argc, const char* const* argv);

}  // namespace freqstore
