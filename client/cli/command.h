// What the commands of `freqstore` share.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <grpcpp/support/status.h>

#include "client/cli/output.h"
#include "client/cpp/client.h"

namespace freqstore::cli {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  ///< or partly failed
inline constexpr int kExitUsage = 2;

/// Options before the command.
struct Globals {
  std::string server = "127.0.0.1:8001";
  Format format = Format::kTable;
};

/// Ends a command with a message: "error: message [REASON]" on stderr, exit code 1.
class CommandError : public std::runtime_error {
 public:
  CommandError(std::string reason, const std::string& message)
      : std::runtime_error(message), reason_(std::move(reason)) {}
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// What was asked for makes no sense: the same, with exit code 2.
class UsageError : public CommandError {
 public:
  explicit UsageError(const std::string& message, std::string reason = "USAGE")
      : CommandError(std::move(reason), message) {}
};

/// Throws CommandError unless `status` is OK.
void Check(const grpc::Status& status, const Globals& globals);

/// The whole of a file. Throws CommandError (CANNOT_READ).
std::string ReadFile(const std::string& path);

/// Binds a command's body: it runs after parsing, its result is the exit code.
using Run = std::function<int()>;
void OnRun(CLI::App* command, Run& run, Run body);

/// "error: MESSAGE [REASON]". Of a message of several lines, the first has the reason: the others point at
/// places.
std::string ErrorText(const CommandError& error);

void AddDatasetCommands(CLI::App& app, const Globals& globals, Run& run);
void AddImportCommand(CLI::App& app, const Globals& globals, Run& run);
void AddExportCommand(CLI::App& app, const Globals& globals, Run& run);
void AddImageCommands(CLI::App& app, const Globals& globals, Run& run);
void AddModelCommands(CLI::App& app, const Globals& globals, Run& run);
void AddInferCommand(CLI::App& app, const Globals& globals, Run& run);
void AddScanCommand(CLI::App& app, const Globals& globals, Run& run);
void AddExplainCommand(CLI::App& app, const Globals& globals, Run& run);
void AddAdminCommands(CLI::App& app, const Globals& globals, Run& run);

// Below "dataset", "image" and "admin".
void AddDescribeCommands(CLI::App& dataset, const Globals& globals, Run& run);
void AddDeletionsCommand(CLI::App& dataset, const Globals& globals, Run& run);
void AddImageSetCommand(CLI::App& image, const Globals& globals, Run& run);
void AddImageDeleteCommand(CLI::App& image, const Globals& globals, Run& run);
void AddStatusCommand(CLI::App& admin, const Globals& globals, Run& run);
void AddRewriteCommand(CLI::App& admin, const Globals& globals, Run& run);
void AddUpkeepCommands(CLI::App& admin, const Globals& globals, Run& run);

}  // namespace freqstore::cli
