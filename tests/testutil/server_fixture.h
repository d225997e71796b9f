// A whole server in the test's own process, and a client of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/cpp/client.h"
#include "server/server.h"
#include "tests/testutil/temp_folder.h"

namespace freqstore::testutil {

/// Listens on a free loopback port, keeps its store in a temporary folder.
class ServerFixture {
 public:
  explicit ServerFixture(ServerOptions options = {});

  Server& server() { return *server_; }
  client::Client& client() { return *client_; }
  const std::filesystem::path& folder() const { return folder_.path(); }

  /// Stops the server and starts it again on the same store.
  void Restart();

  void CreateDataset(const std::string& name);
  struct File {
    std::string image_id;
    std::string bytes;
  };
  /// Imports files and gives the reason of each, "OK" where it was taken, by image_id.
  std::vector<std::pair<std::string, std::string>> Import(const std::string& dataset,
                                                          const std::vector<File>& files);
  v1::FlushResponse Flush();

 private:
  void Start();

  TempFolder folder_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<client::Client> client_;
};

}  // namespace freqstore::testutil
