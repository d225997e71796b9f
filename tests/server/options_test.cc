#include "server/options.h"

#include <cstdlib>
#include <fstream>

#include <catch2/catch_test_macros.hpp>

#include "tests/testutil/temp_folder.h"

namespace freqstore {
namespace {

std::variant<ServerOptions, int> Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "freqstored");
  return ParseServerOptions(static_cast<int>(arguments.size()), arguments.data());
}

TEST_CASE("flags win over variables, variables over the file, the file over defaults") {
  const testutil::TempFolder folder;
  const std::string config = (folder.path() / "freqstored.toml").string();
  std::ofstream(config)
      << "data-dir = \"/from/file\"\nworkers = 3\nstreams-max = 7\nstore-memory = \"1MiB\"\n";
  setenv("FREQSTORE_WORKERS", "4", 1);
  setenv("FREQSTORE_STREAMS_MAX", "8", 1);
  const auto parsed = Parse({"--config", config.c_str(), "--streams-max", "9"});
  unsetenv("FREQSTORE_WORKERS");
  unsetenv("FREQSTORE_STREAMS_MAX");
  REQUIRE(std::holds_alternative<ServerOptions>(parsed));
  const auto& options = std::get<ServerOptions>(parsed);
  REQUIRE(options.storage.data_dir == "/from/file");
  REQUIRE(options.workers == 4);
  REQUIRE(options.limits.streams_max == 9);
  REQUIRE(options.storage.kv.memory_bytes == uint64_t{1} << 20);
  REQUIRE(options.listen == "127.0.0.1:8001");
}

TEST_CASE("a checkpoint to restore can be named, as a variable too") {
  setenv("FREQSTORE_RESTORE_FROM", "/backup", 1);
  const auto named = Parse({"--data-dir", "x", "--free-bytes-min", "1GiB"});
  unsetenv("FREQSTORE_RESTORE_FROM");
  REQUIRE(std::get<ServerOptions>(named).restore_from == "/backup");
  REQUIRE(std::get<ServerOptions>(named).storage.kv.free_bytes_min == uint64_t{1} << 30);
  REQUIRE(std::get<ServerOptions>(Parse({"--data-dir", "x"})).restore_from.empty());
}

TEST_CASE("wrong usage ends with 2, help with 0") {
  REQUIRE(std::get<int>(Parse({})) == 2);
  REQUIRE(std::get<int>(Parse({"--data-dir", "x", "--workers", "none"})) == 2);
  REQUIRE(std::get<int>(Parse({"--data-dir", "x", "--no-such-flag"})) == 2);
  REQUIRE(std::get<int>(Parse({"--config", "/no/such/file"})) == 2);
  REQUIRE(std::get<int>(Parse({"--help"})) == 0);
}

TEST_CASE("an unknown key in the file is an error, not silence") {
  const testutil::TempFolder folder;
  const std::string config = (folder.path() / "freqstored.toml").string();
  std::ofstream(config) << "data-dir = \"x\"\nworker = 3\n";
  REQUIRE(std::get<int>(Parse({"--config", config.c_str()})) == 2);
}

}  // namespace
}  // namespace freqstore
