#include "storage/jpeg/envelope_block.h"

#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr size_t kBytesMax = size_t{64} << 20;

std::vector<std::string> ManyEnvelopes() {
  std::mt19937 random(1);
  std::vector<std::string> envelopes(kEnvelopesMax);
  for (std::string& envelope : envelopes) {
    envelope.resize(random() % 300);
    for (char& byte : envelope) byte = static_cast<char>(random());
  }
  envelopes[7].clear();
  return envelopes;
}

}  // namespace

TEST_CASE("Envelopes come back from a block", "[envelope_block]") {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, kEnvelopesMax}) {
    std::vector<std::string> envelopes = ManyEnvelopes();
    envelopes.resize(count);
    const auto block = EnvelopeBlock::Decompress(AsBytes(CompressEnvelopes(envelopes)), kBytesMax);
    REQUIRE(block.ok());
    REQUIRE(block->size() == count);
    for (size_t i = 0; i < count; ++i) CHECK(AsString(block->envelope(i)) == envelopes[i]);
  }
}

TEST_CASE("What envelopes share is stored once", "[envelope_block]") {
  std::string profile(100'000, '\0');
  std::mt19937 random(1);
  for (char& byte : profile) byte = static_cast<char>(random());
  const std::vector<std::string> envelopes(100, "head" + profile + "tail");
  CHECK(CompressEnvelopes(envelopes).size() < profile.size() + 5000);
}

TEST_CASE("A block is bounded before memory is taken", "[envelope_block]") {
  const std::string block = CompressEnvelopes(std::vector<std::string>{std::string(3'000'000, 'x')});
  CHECK(block.size() < 1000);
  CHECK(EnvelopeBlock::Decompress(AsBytes(block), 3'000'000).ok());
  CHECK(ReasonOf(EnvelopeBlock::Decompress(AsBytes(block), 1'000'000).status()) == "CORRUPT_ENVELOPE");
}

TEST_CASE("Damaged blocks are refused", "[envelope_block]") {
  const std::string block = CompressEnvelopes(std::vector<std::string>{"one", "two", std::string(100, 'x')});
  for (size_t size = 0; size < block.size(); ++size) {
    CHECK(ReasonOf(EnvelopeBlock::Decompress(AsBytes(block).first(size), kBytesMax).status()) ==
          "CORRUPT_ENVELOPE");
  }
  for (size_t i = 0; i < block.size(); ++i) {
    std::string damaged = block;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    const auto read = EnvelopeBlock::Decompress(AsBytes(damaged), kBytesMax);
    if (read.ok()) CHECK(read->size() <= kEnvelopesMax);
  }
}

}  // namespace freqstore
