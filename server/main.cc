// freqstored.

#include <signal.h>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "server/options.h"
#include "server/server.h"
#include "storage/base/allocator.h"
#include "storage/base/status.h"

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

}  // namespace

int main(int argc, char** argv) {
  freqstore::KeepFreedMemory();
  const sigset_t signals = BlockTerminationSignals();
  spdlog::set_default_logger(spdlog::stderr_color_mt("freqstored"));
  auto parsed = freqstore::ParseServerOptions(argc, argv);
  if (const int* exit_code = std::get_if<int>(&parsed)) return *exit_code;
  freqstore::ServerOptions options = std::get<freqstore::ServerOptions>(std::move(parsed));
  const std::string data_dir = options.storage.data_dir.string();

  auto server = freqstore::Server::Start(std::move(options));
  if (!server.ok()) {
    spdlog::error("{} [{}]", freqstore::MessageOf(server.status()), freqstore::ReasonOf(server.status()));
    return 1;
  }
  spdlog::info("serving {} on {}", data_dir, (*server)->address());
  int signal = 0;
  sigwait(&signals, &signal);
  spdlog::info("draining");
  (*server)->Shutdown();
  spdlog::info("stopped");
  return 0;
}
