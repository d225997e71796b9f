#include "storage/base/utf8.h"

#include <catch2/catch_test_macros.hpp>

namespace freqstore {
namespace {

TEST_CASE("well-formed text passes") {
  for (const char* text :
       {"", "cats/1.jpg", "\xc3\xa9t\xc3\xa9", "\xe6\x97\xa5\xe6\x9c\xac", "\xf0\x9f\x90\x88"}) {
    REQUIRE(IsPrintableUtf8(text));
  }
}

TEST_CASE("control characters and malformed sequences do not") {
  for (const char* text : {"a\nb", "\x7f", "\xc2\x85", "\xff", "\xc3", "\xc3(", "\xc0\xaf", "\xed\xa0\x80",
                           "\xf4\x90\x80\x80", "\xe2\x82"}) {
    REQUIRE_FALSE(IsPrintableUtf8(text));
  }
}

TEST_CASE("a character has its bytes, whatever follows") {
  CHECK(PrintableCharacterBytes("ab") == 1);
  CHECK(PrintableCharacterBytes("\xc3\xa9\xff") == 2);
  CHECK(PrintableCharacterBytes("\xe6\x97\xa5") == 3);
  CHECK(PrintableCharacterBytes("\xf0\x9f\x90\x88\n") == 4);
  for (const char* text : {"", "\n", "\xff", "\xc3", "\xc3(", "\xe2\x82", "\xed\xa0\x80"})
    CHECK(PrintableCharacterBytes(text) == 0);
}

}  // namespace
}  // namespace freqstore
