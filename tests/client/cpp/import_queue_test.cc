#include "client/cpp/import_queue.h"

#include <string>

#include <catch2/catch_test_macros.hpp>

#include "tests/client/cpp/fake_server.h"

namespace freqstore::client {
namespace {

using testutil::RowStatus;
using Verdict = ImportQueue::Verdict;

void Add(ImportQueue& queue, uint64_t sequence) {
  auto request = std::make_unique<v1::ImportImagesRequest>();
  request->set_sequence(sequence);
  request->set_file(std::string(10, 'x'));
  queue.Add(std::move(request));
}

/// 0 where there is nothing to send.
uint64_t Take(ImportQueue& queue) {
  const auto request = queue.TakeNext();
  return request == nullptr ? 0 : request->sequence();
}

v1::ImportAcknowledgement Answer(uint64_t sequence, const google::rpc::Status& status = {}) {
  v1::ImportAcknowledgement answer;
  answer.set_sequence(sequence);
  *answer.mutable_status() = status;
  return answer;
}

Verdict Tell(ImportQueue& queue, uint64_t sequence, const google::rpc::Status& status = {}) {
  v1::ImportAcknowledgement answer = Answer(sequence, status);
  return queue.Answer(answer);
}

ImportQueue MakeQueue(uint64_t images, bool retries_rows = true) {
  ImportQueue queue(retries_rows);
  for (uint64_t sequence = 1; sequence <= images; ++sequence) Add(queue, sequence);
  return queue;
}

const google::rpc::Status kDiskFull = RowStatus(grpc::RESOURCE_EXHAUSTED, "DISK_FULL");
const google::rpc::Status kBeingImported = RowStatus(grpc::ALREADY_EXISTS, "IMAGE_BEING_IMPORTED");

TEST_CASE("images leave the queue when they are answered, once") {
  ImportQueue queue = MakeQueue(3);
  REQUIRE(queue.bytes() == 30);
  REQUIRE(Take(queue) == 1);
  REQUIRE(queue.has_unanswered());
  REQUIRE(Take(queue) == 2);
  REQUIRE(Tell(queue, 2) == Verdict::kFinal);
  REQUIRE(Tell(queue, 2) == Verdict::kUnknown);
  REQUIRE(Tell(queue, 7) == Verdict::kUnknown);
  REQUIRE(queue.bytes() == 20);
  REQUIRE_FALSE(queue.all_sent());
  REQUIRE(Take(queue) == 3);
  REQUIRE(Take(queue) == 0);
  REQUIRE(queue.all_sent());
  REQUIRE_FALSE(queue.empty());
  REQUIRE(Tell(queue, 1) == Verdict::kFinal);
  REQUIRE(Tell(queue, 3, RowStatus(grpc::INVALID_ARGUMENT, "NOT_A_JPEG")) == Verdict::kFinal);
  REQUIRE(queue.empty());
}

TEST_CASE("a new stream gets what was not answered, in order") {
  ImportQueue queue = MakeQueue(4);
  for (int i = 0; i < 3; ++i) Take(queue);
  Tell(queue, 2);
  queue.Restart();
  REQUIRE(Take(queue) == 1);
  REQUIRE(Take(queue) == 3);
  REQUIRE(Take(queue) == 4);
  REQUIRE(Take(queue) == 0);
}

TEST_CASE("what an earlier stream brought is answered as imported") {
  ImportQueue queue = MakeQueue(2);
  Take(queue);
  queue.Restart();
  Take(queue);
  Take(queue);
  v1::ImportAcknowledgement resent = Answer(1);
  resent.set_already_present(true);
  REQUIRE(queue.Answer(resent) == Verdict::kFinal);
  REQUIRE_FALSE(resent.already_present());
  v1::ImportAcknowledgement sent_once = Answer(2);
  sent_once.set_already_present(true);
  REQUIRE(queue.Answer(sent_once) == Verdict::kFinal);
  REQUIRE(sent_once.already_present());
}

TEST_CASE("an image that an earlier stream is still bringing is held back; somebody else's is refused") {
  ImportQueue queue = MakeQueue(2);
  Take(queue);
  queue.Restart();
  Take(queue);
  Take(queue);
  REQUIRE(Tell(queue, 1, kBeingImported) == Verdict::kHeldBack);
  REQUIRE(Tell(queue, 2, kBeingImported) == Verdict::kFinal);
}

TEST_CASE(
    "while images are held back, one of them is sent when it is time, and the rest when it fares well") {
  ImportQueue queue = MakeQueue(4);
  for (int i = 0; i < 3; ++i) Take(queue);
  for (const uint64_t sequence : {2U, 1U, 3U})
    REQUIRE(Tell(queue, sequence, kDiskFull) == Verdict::kHeldBack);
  REQUIRE_FALSE(queue.has_unanswered());
  REQUIRE(Take(queue) == 0);
  queue.TryHeldBack();
  REQUIRE(Take(queue) == 1);
  REQUIRE(Take(queue) == 0);
  REQUIRE(Tell(queue, 1, kDiskFull) == Verdict::kHeldBack);
  queue.TryHeldBack();
  REQUIRE(Take(queue) == 1);
  REQUIRE(Tell(queue, 1) == Verdict::kFinal);
  REQUIRE_FALSE(queue.has_unanswered());
  for (const uint64_t sequence : {2U, 3U, 4U, 0U}) REQUIRE(Take(queue) == sequence);
}

TEST_CASE("a new stream also gets what was held back") {
  ImportQueue queue = MakeQueue(2);
  Take(queue);
  Tell(queue, 1, kDiskFull);
  REQUIRE_FALSE(queue.all_sent());
  queue.Restart();
  REQUIRE(Take(queue) == 1);
  REQUIRE(Take(queue) == 2);
}

TEST_CASE("where rows are not sent again, every answer is final") {
  ImportQueue queue = MakeQueue(1, false);
  Take(queue);
  REQUIRE(Tell(queue, 1, kDiskFull) == Verdict::kFinal);
}

}  // namespace
}  // namespace freqstore::client
