#include "storage/jpeg/bit_writer.h"

#include <random>
#include <string>

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

/// Bits one by one.
class PlainBits {
 public:
  void Put(uint64_t value, int length) {
    for (int i = length - 1; i >= 0; --i) {
      byte_ = static_cast<uint8_t>(unsigned{byte_} << 1 | (value >> i & 1));
      if (++count_ < 8) continue;
      bytes_.push_back(static_cast<char>(byte_));
      if (byte_ == 0xff) bytes_.push_back('\0');
      count_ = 0;
    }
  }
  int count() const { return count_; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  uint8_t byte_ = 0;
  int count_ = 0;
};

}  // namespace

TEST_CASE("Bits are written as one by one", "[bits]") {
  std::mt19937_64 random(1);
  for (const bool ones : {false, true}) {
    PlainBits plain;
    StringSink sink(size_t{1} << 20);
    BitWriter writer(sink);
    for (int i = 0; i < 100'000; ++i) {
      const int length = static_cast<int>(random() % 64);
      const uint64_t mask = (uint64_t{1} << length) - 1;
      const uint64_t value = (ones ? ~(uint64_t{1} << random() % 64) : random()) & mask;
      plain.Put(value, length);
      BitCursor cursor = writer.Begin();
      cursor.Put(value, length);
      writer.Commit(cursor);
      if (i % 1000 == 0) {
        CHECK(writer.StoreWholeBytes() == plain.count());
        CHECK(writer.position() == plain.bytes().size());
      }
    }
    const int fill = (8 - plain.count()) % 8;
    plain.Put(0, fill);
    BitCursor cursor = writer.Begin();
    cursor.Put(0, fill);
    writer.Commit(cursor);
    CHECK(writer.Flush());
    CHECK(sink.Take() == plain.bytes());
  }
}

TEST_CASE("Bytes are written between bits as they are", "[bits]") {
  StringSink sink(100);
  BitWriter writer(sink);
  BitCursor cursor = writer.Begin();
  cursor.Put(0xff, 8);
  writer.Commit(cursor);
  writer.WriteBytes(AsBytes("\xff\xd0"));
  CHECK(writer.position() == 4);
  CHECK(writer.Flush());
  CHECK(sink.Take() == std::string("\xff\0\xff\xd0", 4));
}

TEST_CASE("A sink that refuses bytes ends the writing", "[bits]") {
  StringSink small(3);
  BitWriter writer(small);
  writer.WriteBytes(AsBytes("abc"));
  CHECK_FALSE(writer.failed());
  writer.WriteBytes(AsBytes("d"));
  CHECK(writer.failed());
  CHECK_FALSE(writer.Flush());
  CHECK(small.Take() == "abc");
}

TEST_CASE("The comparing sink takes what is expected and nothing else", "[bits]") {
  ComparingSink sink(AsBytes("abcdef"));
  CHECK(sink.Write(AsBytes("abc")));
  CHECK_FALSE(sink.complete());
  CHECK_FALSE(sink.Write(AsBytes("dex")));
  CHECK(sink.Write(AsBytes("def")));
  CHECK(sink.complete());
  CHECK_FALSE(sink.Write(AsBytes("g")));
}

}  // namespace freqstore
