// What commands that outlive their connection have in common.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "client/cli/command.h"
#include "client/cpp/backoff.h"

namespace freqstore::cli {

/// Adds --retry-seconds.
void AddRetryOption(CLI::App& command, double& retry_seconds);
client::RetryPolicy ToRetryPolicy(double retry_seconds);

/// Says on stderr what a command waits for, each cause once.
class RetryNotice {
 public:
  /// `make_way` is called before something is printed.
  RetryNotice(const Globals& globals, double retry_seconds, std::function<void()> make_way);
  void Tell(const grpc::Status& cause);

 private:
  const std::string server_;
  const double retry_seconds_;
  const std::function<void()> make_way_;
  std::set<std::string> told_;
};

}  // namespace freqstore::cli
