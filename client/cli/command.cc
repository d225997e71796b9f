#include "client/cli/command.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "client/cpp/error.h"
#include "fmt/format.h"

namespace freqstore::cli {

void Check(const grpc::Status& status, const Globals& globals) {
  if (status.ok()) return;
  throw CommandError(client::ReasonOf(status), client::Describe(status, globals.server));
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw CommandError("CANNOT_READ", "cannot read " + path + ": " + std::strerror(errno));
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void OnRun(CLI::App* command, Run& run, Run body) {
  command->callback([&run, body = std::move(body)] { run = body; });
}

std::string ErrorText(const CommandError& error) {
  const std::string message = error.what();
  const size_t end = std::min(message.find('\n'), message.size());
  return fmt::format("error: {} [{}]{}\n", message.substr(0, end), error.reason(), message.substr(end));
}

}  // namespace freqstore::cli
