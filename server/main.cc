// freqstored.

#include <algorithm>
#include <signal.h>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include "server/options.h"
#include "server/server.h"
#include "storage/base/allocator.h"
#include "storage/base/status.h"
#include "storage/kv/restore.h"

namespace {

/// SIGTERM and SIGINT, blocked in every thread that is started from here on (OpenMP's and gRPC's would take
/// them otherwise) and waited for in main.
sigset_t BlockTerminationSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

/// As many files as the system lets us open: the store keeps its tables open.
void RaiseOpenFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void LogError(const absl::Status& status) {
  spdlog::error("{} [{}]", freqstore::MessageOf(status), freqstore::ReasonOf(status));
}

absl::Status Restore(const freqstore::ServerOptions& options) {
  if (options.restore_from.empty()) return absl::OkStatus();
  uint64_t tenths_told = 0;
  return freqstore::RestoreCheckpoint(
      options.restore_from, options.storage.data_dir / "store",
      [&](const freqstore::RestoreProgress& progress) {
        const uint64_t tenths = 10 * progress.bytes_done / std::max<uint64_t>(progress.bytes_total, 1);
        if (tenths == tenths_told) return;
        tenths_told = tenths;
        spdlog::info("restoring {}: {} of {} MiB", options.restore_from.string(), progress.bytes_done >> 20,
                     progress.bytes_total >> 20);
      });
}

}  // namespace

int main(int argc, char** argv) {
  freqstore::KeepFreedMemory();
  RaiseOpenFileLimit();
  const sigset_t signals = BlockTerminationSignals();
  spdlog::set_default_logger(spdlog::stderr_color_mt("freqstored"));
  auto parsed = freqstore::ParseServerOptions(argc, argv);
  if (const int* exit_code = std::get_if<int>(&parsed)) return *exit_code;
  freqstore::ServerOptions options = std::get<freqstore::ServerOptions>(std::move(parsed));
  const std::string data_dir = options.storage.data_dir.string();

  if (const absl::Status restored = Restore(options); !restored.ok()) {
    LogError(restored);
    return 1;
  }
  auto server = freqstore::Server::Start(std::move(options));
  if (!server.ok()) {
    LogError(server.status());
    return 1;
  }
  if (const std::string metrics = (*server)->metrics_address(); !metrics.empty())
    spdlog::info("metrics on http://{}/metrics", metrics);
  spdlog::info("serving {} on {}", data_dir, (*server)->address());
  int signal = 0;
  sigwait(&signals, &signal);
  spdlog::info("draining");
  (*server)->Shutdown();
  spdlog::info("stopped");
  return 0;
}
