#include "client/cli/retry_options.h"

#include <utility>

#include "client/cpp/error.h"
#include "fmt/core.h"

namespace freqstore::cli {

void AddRetryOption(CLI::App& command, double& retry_seconds) {
  command
      .add_option(
          "--retry-seconds", retry_seconds,
          "How long to go on trying without any progress while the connection is broken or the server "
          "cannot write; 0: not at all")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6));
}

client::RetryPolicy ToRetryPolicy(double retry_seconds) {
  client::RetryPolicy policy;
  policy.patience =
      std::chrono::round<std::chrono::milliseconds>(std::chrono::duration<double>(retry_seconds));
  return policy;
}

RetryNotice::RetryNotice(const Globals& globals, double retry_seconds, std::function<void()> make_way)
    : server_(globals.server), retry_seconds_(retry_seconds), make_way_(std::move(make_way)) {}

void RetryNotice::Tell(const grpc::Status& cause) {
  const std::string reason = client::ReasonOf(cause);
  if (!told_.insert(reason).second) return;
  make_way_();
  const bool has_server = !cause.error_details().empty();
  fmt::print(stderr, "{} [{}]; trying again for up to {:g} s without progress\n",
             has_server ? cause.error_message() : "the connection to " + server_ + " broke", reason,
             retry_seconds_);
}

}  // namespace freqstore::cli
