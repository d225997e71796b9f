// Holds every implementation of bp32 that this machine can run equal to the reference, byte for byte.
#include "storage/codec/bp32_kernels.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/codec/bp32_exceptions.h"
#include "tests/storage/codec/guarded_buffer.h"
#include "tests/storage/codec/test_values.h"

namespace freqstore {
namespace {

using testutil::GuardedBuffer;

const Bp32Kernels& Reference() {
  return GetBp32Kernels(SimdLevel::kScalar);
}

struct Encoded {
  std::vector<uint8_t> widths;
  std::vector<uint8_t> counts;
  std::vector<uint8_t> packed;
  std::vector<uint8_t> exceptions;
  friend bool operator==(const Encoded&, const Encoded&) = default;
};

std::vector<uint8_t> CopyOf(GuardedBuffer& buffer, size_t bytes) {
  return {buffer.data(), buffer.data() + bytes};
}

Encoded Encode(const Bp32Kernels& kernels, const std::vector<int16_t>& values) {
  GuardedBuffer input(values.size() * sizeof(int16_t));
  if (!values.empty()) std::memcpy(input.data(), values.data(), input.size());
  const auto* source = reinterpret_cast<const int16_t*>(input.data());

  const size_t groups = (values.size() + kBp32GroupValues - 1) / kBp32GroupValues;
  GuardedBuffer widths((groups + 1) / 2);
  GuardedBuffer counts((groups + 3) / 4);
  const Bp32Lengths lengths = kernels.measure(source, values.size(), widths.data(), counts.data());
  CHECK(kernels.lengths(widths.data(), counts.data(), groups) == lengths);
  GuardedBuffer packed(lengths.packed_bytes + kBp32PackSlack);
  GuardedBuffer exceptions(lengths.exceptions);
  kernels.pack(source, values.size(), widths.data(), counts.data(), packed.data(), exceptions.data());
  return {CopyOf(widths, widths.size()), CopyOf(counts, counts.size()), CopyOf(packed, lengths.packed_bytes),
          CopyOf(exceptions, exceptions.size())};
}

std::vector<int16_t> Decode(const Bp32Kernels& kernels, const Encoded& encoded, size_t count) {
  GuardedBuffer widths(encoded.widths.size());
  GuardedBuffer packed(encoded.packed.size());
  GuardedBuffer output(count * sizeof(int16_t));
  std::copy(encoded.widths.begin(), encoded.widths.end(), widths.data());
  std::copy(encoded.packed.begin(), encoded.packed.end(), packed.data());
  auto* values = reinterpret_cast<int16_t*>(output.data());
  kernels.unpack(widths.data(), packed.data(), packed.size(), count, values);
  CHECK(ApplyBp32Exceptions(encoded.widths.data(), encoded.counts.data(), encoded.exceptions,
                            std::span(values, count)));
  return {values, values + count};
}

template <typename Check>
void ForEachLevel(Check check) {
  for (SimdLevel level : SupportedSimdLevels()) {
    CAPTURE(std::string(SimdLevelName(level)));
    check(GetBp32Kernels(level));
  }
}

}  // namespace

TEST_CASE("Every implementation of bp32 gives the reference's bytes and values", "[bp32]") {
  std::mt19937 random(7);
  for (size_t count : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 96u, 127u, 160u, 500u, 1024u, 2961u}) {
    for (unsigned bits = 0; bits <= 17; ++bits) {
      CAPTURE(count, bits);
      std::vector<int16_t> values =
          bits <= 16 ? testutil::ValuesOfBits(count, bits, random) : testutil::MixedValues(count, random);
      for (int round = 0; round < 2; ++round) {
        const Encoded expected = Encode(Reference(), values);
        ForEachLevel([&](const Bp32Kernels& kernels) {
          CHECK(Encode(kernels, values) == expected);
          CHECK(Decode(kernels, expected, count) == values);
        });
        testutil::AddOutliers(values, random);
      }
    }
  }
}

TEST_CASE("Every implementation of bp32 reads arbitrary bytes as the reference does", "[bp32]") {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const size_t count = 1 + random() % 700;
    const size_t groups = (count + kBp32GroupValues - 1) / kBp32GroupValues;
    Encoded encoded;
    for (size_t i = 0; i < (groups + 1) / 2; ++i) encoded.widths.push_back(static_cast<uint8_t>(random()));
    for (size_t i = 0; i < (groups + 3) / 4; ++i) encoded.counts.push_back(static_cast<uint8_t>(random()));
    if (groups % 2 != 0) encoded.widths.back() &= 15;
    if (groups % 4 != 0) encoded.counts.back() &= static_cast<uint8_t>((1u << (2 * (groups % 4))) - 1);
    const Bp32Lengths lengths = Reference().lengths(encoded.widths.data(), encoded.counts.data(), groups);
    for (size_t i = 0; i < lengths.packed_bytes; ++i)
      encoded.packed.push_back(static_cast<uint8_t>(random()));
    for (size_t i = 0; i < lengths.exceptions; ++i)
      encoded.exceptions.push_back(static_cast<uint8_t>(random()));
    if (count % kBp32GroupValues != 0) {
      // Those of the last group must be in place.
      for (size_t i = 0; i < std::min<size_t>(lengths.exceptions, kBp32ExceptionsMax); ++i)
        encoded.exceptions[lengths.exceptions - 1 - i] &= 0xe0;
    }
    CAPTURE(round, count);
    const std::vector<int16_t> expected = Decode(Reference(), encoded, count);
    ForEachLevel([&](const Bp32Kernels& kernels) {
      CHECK(kernels.lengths(encoded.widths.data(), encoded.counts.data(), groups) == lengths);
      CHECK(Decode(kernels, encoded, count) == expected);
    });
  }
}

TEST_CASE("Every implementation of bp32 undoes the prediction as the reference does", "[bp32]") {
  std::mt19937 random(13);
  for (size_t width : {1u, 2u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 32u, 33u, 63u, 100u}) {
    for (size_t height : {1u, 2u, 5u, 40u}) {
      CAPTURE(width, height);
      std::vector<int16_t> residuals = testutil::MixedValues(width * height, random);
      std::vector<int16_t> expected = residuals;
      Reference().undo_prediction(expected.data(), width, height);
      ForEachLevel([&](const Bp32Kernels& kernels) {
        GuardedBuffer buffer(residuals.size() * sizeof(int16_t));
        std::memcpy(buffer.data(), residuals.data(), buffer.size());
        auto* values = reinterpret_cast<int16_t*>(buffer.data());
        kernels.undo_prediction(values, width, height);
        CHECK(std::equal(expected.begin(), expected.end(), values));
      });
    }
  }
}

}  // namespace freqstore
