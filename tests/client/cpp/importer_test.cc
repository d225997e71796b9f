#include "client/cpp/importer.h"

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "client/cpp/error.h"
#include "tests/client/cpp/fake_server.h"
#include "tests/testutil/event.h"

namespace freqstore::client {
namespace {

using namespace std::chrono_literals;
using testutil::CallStatus;
using testutil::FakeServer;
using testutil::RowStatus;
using testutil::StreamPlan;

const grpc::Status kBroken(grpc::UNAVAILABLE, "Socket closed");

std::string Id(int i) {
  return std::to_string(1000 + i);
}

std::string FileOf(const std::string& image_id) {
  return "file " + image_id + std::string(5000, 'x');
}

/// An import of images 0, 1, ... and what it was told.
class Import {
 public:
  explicit Import(const FakeServer& server, std::chrono::milliseconds patience = 60s,
                  uint64_t bytes_max = 1 << 20)
      : client_(server.address()),
        importer_(client_, "d", [this](const v1::ImportAcknowledgement& answer) { Answered(answer); },
                  {.bytes_in_flight_max = bytes_max,
                   .retry = {1ms, 20ms, patience},
                   .on_retry = [this](const grpc::Status& cause) { causes_.push_back(ReasonOf(cause)); }}) {}

  grpc::Status Run(int images) {
    for (int i = 0; i < images; ++i) {
      if (!importer_.Send(Id(i), FileOf(Id(i)))) break;
    }
    return importer_.Finish();
  }

  Importer& importer() { return importer_; }
  const std::map<std::string, int>& answers() const { return answers_; }
  const std::map<std::string, std::string>& refused() const { return refused_; }
  int already_present() const { return already_present_; }
  const std::vector<std::string>& causes() const { return causes_; }

 private:
  void Answered(const v1::ImportAcknowledgement& answer) {
    ++answers_[answer.image_id()];
    already_present_ += answer.already_present() ? 1 : 0;
    if (answer.status().code() != 0) refused_[answer.image_id()] = ReasonOf(answer.status());
  }

  Client client_;
  std::map<std::string, int> answers_;
  std::map<std::string, std::string> refused_;
  int already_present_ = 0;
  std::vector<std::string> causes_;
  Importer importer_;
};

/// Every image is answered once, and stored as it was sent.
void RequireAllImported(Import& import, FakeServer& server, int images) {
  REQUIRE(import.refused().empty());
  REQUIRE(import.already_present() == 0);
  const auto stored = server.images().stored();
  REQUIRE(std::cmp_equal(import.answers().size(), images));
  REQUIRE(std::cmp_equal(stored.size(), images));
  for (int i = 0; i < images; ++i) {
    REQUIRE(import.answers().at(Id(i)) == 1);
    REQUIRE(stored.at(Id(i)).file == FileOf(Id(i)));
  }
}

TEST_CASE("an import goes through") {
  FakeServer server;
  Import import(server);
  REQUIRE(import.Run(100).ok());
  RequireAllImported(import, server, 100);
  REQUIRE(server.images().streams().size() == 1);
  REQUIRE(import.causes().empty());
}

TEST_CASE("an import of nothing needs no server") {
  FakeServer server;
  Import import(server);
  REQUIRE(import.Run(0).ok());
  REQUIRE(server.images().streams().empty());
}

TEST_CASE("a stream that breaks costs nothing and doubles nothing") {
  const int messages = GENERATE(0, 1, 7, 99, 100);
  const int answered = GENERATE(0, 1, 5, 100);
  FakeServer server;
  server.images().Plan({{messages, answered, kBroken}});
  Import import(server);
  REQUIRE(import.Run(100).ok());
  RequireAllImported(import, server, 100);
  // The second brings just what was not answered, in order.
  std::vector<std::string> expected;
  for (int i = std::min(messages, answered); i < 100; ++i) expected.push_back(Id(i));
  const auto streams = server.images().streams();
  REQUIRE(streams.size() == (expected.empty() ? 1 : 2));
  if (expected.empty()) return;
  REQUIRE(streams[1] == expected);
  REQUIRE(import.causes() == std::vector<std::string>{"UNAVAILABLE"});
}

TEST_CASE("streams may break again and again") {
  FakeServer server;
  server.images().Plan({{10, 5, kBroken},
                        {0, 0, {grpc::INTERNAL, "Received RST_STREAM"}},
                        {3, 0, {grpc::UNKNOWN, "Stream removed"}},
                        {20, 20, {grpc::CANCELLED, ""}},
                        {30, 0, CallStatus(grpc::UNAVAILABLE, "SERVER_STOPPING")}});
  Import import(server);
  REQUIRE(import.Run(100).ok());
  RequireAllImported(import, server, 100);
  REQUIRE(server.images().streams().size() == 6);
}

TEST_CASE("an import outlives its server") {
  FakeServer server;
  server.images().Plan({{50, 50, kBroken}});
  Import import(server, 60s, 40'000);
  testutil::Event is_half_done;
  std::thread restart([&] {
    is_half_done.Wait();
    server.Stop();
    server.StartAgain();
  });
  for (int i = 0; i < 100; ++i) {
    if (i == 50) is_half_done.Notify();
    REQUIRE(import.importer().Send(Id(i), FileOf(Id(i))));
  }
  REQUIRE(import.importer().Finish().ok());
  restart.join();
  RequireAllImported(import, server, 100);
}

TEST_CASE("errors that stay are not tried again") {
  const grpc::Status end =
      GENERATE(CallStatus(grpc::NOT_FOUND, "DATASET_NOT_FOUND"), CallStatus(grpc::INTERNAL, "STORE_FAILED"),
               grpc::Status(grpc::RESOURCE_EXHAUSTED, "message too large"));
  FakeServer server;
  server.images().Plan({{3, 3, end}});
  Import import(server);
  const grpc::Status status = import.Run(10);
  REQUIRE(status.error_code() == end.error_code());
  REQUIRE(status.error_message() == end.error_message());
  REQUIRE(server.images().streams().size() == 1);
  REQUIRE_FALSE(import.importer().Send("more", "x"));
}

TEST_CASE("a server that ends an import by itself has failed") {
  FakeServer server;
  server.images().Plan({{3, 3, grpc::Status::OK}});
  Import import(server, 60s, 10'000);
  REQUIRE(import.Run(10).error_message().find("without answering") != std::string::npos);
}

TEST_CASE("a server that does not come back is given up") {
  FakeServer server;
  server.Stop();
  Import import(server, 50ms);
  const grpc::Status status = import.Run(10);
  REQUIRE(status.error_code() == grpc::UNAVAILABLE);
  REQUIRE(status.error_message().find("gave up after 0.05 s without progress") != std::string::npos);
  REQUIRE(import.answers().empty());
}

TEST_CASE("without patience the first break is the end") {
  FakeServer server;
  server.images().Plan({{3, 0, kBroken}});
  Import import(server, 0ms);
  const grpc::Status status = import.Run(10);
  REQUIRE(status.error_message() == "Socket closed");
  REQUIRE(server.images().streams().size() == 1);
  REQUIRE(import.causes().empty());
}

TEST_CASE("refused images are answered, and only once") {
  FakeServer server;
  server.images().Refuse(Id(4), {RowStatus(grpc::INVALID_ARGUMENT, "NOT_A_JPEG")});
  server.images().Refuse(Id(6), {RowStatus(grpc::ALREADY_EXISTS, "IMAGE_BEING_IMPORTED")});
  Import import(server);
  REQUIRE(import.Run(10).ok());
  REQUIRE(import.refused() ==
          std::map<std::string, std::string>{{Id(4), "NOT_A_JPEG"}, {Id(6), "IMAGE_BEING_IMPORTED"}});
  REQUIRE(import.answers().size() == 10);
}

TEST_CASE("an image that the old stream still brings is waited for") {
  const google::rpc::Status being_imported = RowStatus(grpc::ALREADY_EXISTS, "IMAGE_BEING_IMPORTED");
  FakeServer server;
  server.images().Plan({{10, 0, kBroken}});
  Import import(server);
  // Its first try is with the stream that breaks, so what it stores there is found by the last.
  server.images().Refuse(Id(3), {being_imported, being_imported, being_imported});
  REQUIRE(import.Run(30).ok());
  RequireAllImported(import, server, 30);
}

TEST_CASE("a full disk is waited for") {
  const google::rpc::Status full = RowStatus(grpc::RESOURCE_EXHAUSTED, "DISK_FULL");
  FakeServer server;
  for (int i = 5; i < 15; ++i) server.images().Refuse(Id(i), {full, full});
  Import import(server);
  REQUIRE(import.Run(30).ok());
  RequireAllImported(import, server, 30);
  REQUIRE_FALSE(import.causes().empty());
  REQUIRE(import.causes().front() == "DISK_FULL");
}

TEST_CASE("a disk that stays full ends the import, which says so") {
  const google::rpc::Status full = RowStatus(grpc::RESOURCE_EXHAUSTED, "DISK_FULL");
  FakeServer server;
  server.images().Refuse(Id(0), std::deque<google::rpc::Status>(1000, full));
  Import import(server, 50ms);
  const grpc::Status status = import.Run(1);
  REQUIRE(ReasonOf(status) == "DISK_FULL");
  REQUIRE(import.answers().empty());
}

TEST_CASE("attributes travel along, also the second time") {
  FakeServer server;
  server.images().Plan({{1, 0, kBroken}});
  Import import(server);
  Importer::Attributes attributes;
  attributes["label"].set_string_value("dog");
  REQUIRE(import.importer().Send("a", "x", attributes));
  REQUIRE(import.importer().Finish().ok());
  const auto stored = server.images().stored();
  REQUIRE(stored.at("a").times == 2);
  REQUIRE(stored.at("a").attributes.at("label").string_value() == "dog");
}

TEST_CASE("no more than the bound is kept") {
  FakeServer server;
  Import import(server, 60s, 20'000);
  REQUIRE(import.Run(200).ok());
  RequireAllImported(import, server, 200);
}

TEST_CASE("an import that is dropped does not wait") {
  FakeServer server;
  server.Stop();
  Import import(server);
  REQUIRE(import.importer().Send("a", "x"));
}

}  // namespace
}  // namespace freqstore::client
