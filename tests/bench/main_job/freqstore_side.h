// The job as Freqstore does it: a server in this process, asked by a gRPC client over loopback.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/cpp/client.h"
#include "server/server.h"
#include "tests/bench/main_job/jpeg_side.h"

namespace freqstore::bench {

/// Throws std::runtime_error with the server's message if anything fails.
class FreqstoreSide {
 public:
  explicit FreqstoreSide(const std::filesystem::path& data_dir);

  /// Imports the files into one dataset and flushes it; gives the seconds that took.
  double Import(const std::vector<std::filesystem::path>& files);
  void RegisterModel(const std::string& name, const std::string& file, const v1::InputSpec& spec);

  struct Result {
    Answers answers;
    v1::Measures actual;
  };
  Result Run(const std::string& model, const v1::Fidelity& fidelity);

 private:
  std::unique_ptr<Server> server_;
  std::unique_ptr<client::Client> client_;
};

}  // namespace freqstore::bench
