#include "client/cli/command.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "client/cpp/error.h"

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

}  // namespace freqstore::cli
