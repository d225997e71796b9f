// The implementations of r32's loops against each other: same words, same values.
#include "storage/codec/r32_kernels.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "storage/base/cpu_features.h"
#include "storage/base/dct.h"
#include "storage/base/scratch_buffer.h"
#include "storage/codec/r32_model.h"
#include "storage/codec/r32_token.h"
#include "tests/storage/codec/r32_random_model.h"

namespace freqstore {
namespace {

constexpr size_t kSlack = 64;

size_t GroupsOf(size_t blocks) {
  return (blocks + kR32Lanes - 1) / kR32Lanes;
}

/// An image's planes with everything that R32Image points at.
struct Planes {
  Planes(size_t block_count, size_t width, bool is_narrow) : blocks(block_count), width_blocks(width) {
    const size_t groups = GroupsOf(blocks) + kSlack;
    for (auto& plane : references) plane.resize(blocks + kSlack);
    for (auto& plane : reference_counts) plane.resize(groups);
    if (is_narrow) narrow.resize(blocks + kSlack);
    if (!is_narrow) wide.resize(blocks + kSlack);
    if (!is_narrow) context.resize(blocks + kSlack);
    counts.resize(groups);
    occupied.resize(groups);
  }

  R32Image View() {
    R32Image image{.blocks = blocks, .width_blocks = width_blocks, .references = {}};
    for (size_t r = 0; r < kR32ReferencesMax; ++r) {
      image.references.planes[r] = references[r].data();
      image.references.counts[r] = reference_counts[r].data();
    }
    image.narrow = narrow.empty() ? nullptr : narrow.data();
    image.wide = wide.empty() ? nullptr : wide.data();
    image.context = context.empty() ? nullptr : context.data();
    image.counts = counts.data();
    image.occupied = occupied.data();
    return image;
  }

  size_t blocks;
  size_t width_blocks;
  std::vector<int8_t> references[kR32ReferencesMax];
  std::vector<uint8_t> reference_counts[kR32ReferencesMax];
  std::vector<int8_t> narrow;
  std::vector<int16_t> wide;
  std::vector<int8_t> context;
  std::vector<uint8_t> counts;
  std::vector<uint32_t> occupied;
};

int RandomValue(std::mt19937& random, const R32Model& model) {
  if (random() % 3 != 0) return 0;
  const uint32_t limit = model.tokens < kR32TokensMax ? R32Base(model.tokens) : 32768;
  const auto magnitude = static_cast<int>((random() >> (random() % 32)) % limit);
  return random() % 2 == 0 ? magnitude : -magnitude;
}

Planes RandomPlanes(std::mt19937& random, const R32Model& model, size_t blocks, size_t width) {
  Planes planes(blocks, width, model.narrow());
  for (auto& plane : planes.references) {
    for (int8_t& value : plane) value = random() % 2 == 0 ? int8_t{0} : static_cast<int8_t>(random());
  }
  for (auto& plane : planes.reference_counts)
    for (uint8_t& count : plane) count = static_cast<uint8_t>(random() % 33);
  for (size_t group = 0; group < GroupsOf(blocks); ++group) {
    const bool all_zero = random() % 3 == 0;
    uint8_t count = 0;
    for (size_t i = group * kR32Lanes; i < std::min(blocks, (group + 1) * kR32Lanes); ++i) {
      const int value = all_zero ? 0 : RandomValue(random, model);
      count = static_cast<uint8_t>(count + (value != 0 ? 1 : 0));
      if (model.narrow()) planes.narrow[i] = static_cast<int8_t>(value);
      if (model.narrow()) continue;
      planes.wide[i] = static_cast<int16_t>(value);
      planes.context[i] = static_cast<int8_t>(std::clamp<int>(planes.wide[i], -128, 127));
    }
    planes.counts[group] = count;
  }
  return planes;
}

std::vector<uint8_t> DcActivities(const R32Image& image) {
  std::vector<uint8_t> activities(image.blocks + kSlack);
  const size_t distance = R32DcDistance(image.width_blocks);
  for (size_t block = 0; block < image.blocks; ++block)
    activities[block] = R32DcActivity(image.context, distance, block);
  return activities;
}

/// The images as a substream: states and words, as bytes.
std::string Encode(const R32Kernels& kernels, const R32Model& model, bool is_dc,
                   std::vector<Planes>& images) {
  size_t words_max = 0;
  for (const Planes& image : images) words_max += R32WordsMax(image.blocks);
  std::vector<uint16_t> words(words_max);
  R32Sink sink{};
  std::fill(std::begin(sink.states), std::end(sink.states), 1u << 16);
  sink.words = words.data() + words.size();
  const R32EncodeTable table(model);
  for (size_t i = images.size(); i-- > 0;) {
    const R32Image image = images[i].View();
    const size_t groups = GroupsOf(image.blocks);
    std::vector<uint8_t> activities(image.blocks + kSlack);
    std::vector<uint8_t> group_activities(groups + kSlack);
    if (is_dc) {
      activities = DcActivities(image);
    } else {
      const int8_t* counts[kR32ReferencesMax];
      for (size_t r = 0; r < kR32ReferencesMax; ++r)
        counts[r] = reinterpret_cast<const int8_t*>(image.references.counts[r]);
      kernels.activities(model, image.references.planes, model.values.shift, image.blocks, activities.data());
      kernels.activities(model, counts, model.groups.shift, groups, group_activities.data());
    }
    kernels.encode(table, image, activities.data(), group_activities.data(), sink);
  }
  std::string bytes(reinterpret_cast<const char*>(sink.states), sizeof(sink.states));
  bytes.append(reinterpret_cast<const char*>(sink.words),
               static_cast<size_t>(words.data() + words.size() - sink.words) * 2);
  return bytes;
}

R32Stream OpenStream(const std::string& bytes) {
  R32Stream stream{};
  for (size_t i = 0; i < kR32Lanes; ++i) {
    uint32_t state = 0;
    std::memcpy(&state, bytes.data() + 4 * i, 4);
    stream.high[i] = static_cast<uint16_t>(state >> 16);
    stream.low[i] = static_cast<uint16_t>(state);
  }
  stream.words = reinterpret_cast<const uint8_t*>(bytes.data()) + 4 * kR32Lanes;
  stream.end = bytes.size() / 2 - 2 * kR32Lanes;
  return stream;
}

void CheckEnd(const R32Stream& stream) {
  CHECK(stream.next == stream.end);
  for (size_t i = 0; i < kR32Lanes; ++i) CHECK((stream.high[i] == 1 && stream.low[i] == 0));
}

void CheckEqual(const Planes& decoded, const Planes& expected, bool is_dc) {
  const auto blocks = static_cast<ptrdiff_t>(expected.blocks);
  const auto same = [](const auto& a, const auto& b, ptrdiff_t count) {
    return a.size() == b.size() && std::equal(a.begin(), a.begin() + (a.empty() ? 0 : count), b.begin());
  };
  CHECK(same(decoded.narrow, expected.narrow, blocks));
  CHECK(same(decoded.wide, expected.wide, blocks));
  CHECK(same(decoded.context, expected.context, blocks));
  if (!is_dc) CHECK(same(decoded.counts, expected.counts, static_cast<ptrdiff_t>(GroupsOf(expected.blocks))));
}

/// Copies of images without their values.
std::vector<Planes> Emptied(const std::vector<Planes>& images, bool is_narrow) {
  std::vector<Planes> emptied;
  for (const Planes& image : images) {
    Planes& out = emptied.emplace_back(image.blocks, image.width_blocks, is_narrow);
    std::copy(std::begin(image.references), std::end(image.references), out.references);
    std::copy(std::begin(image.reference_counts), std::end(image.reference_counts), out.reference_counts);
  }
  return emptied;
}

/// Decodes the images of two substreams side by side, `batch` images at a time.
void CheckDecodes(const R32Kernels& kernels, const R32Model& model, bool is_dc, size_t batch,
                  const std::vector<Planes>* const (&expected)[2], const std::string* const (&bytes)[2]) {
  ScratchBuffer<uint8_t> tables;
  tables.Reserve(kernels.table_bytes(model) + 1);
  kernels.prepare(model, tables.data());
  const R32Column column{.model = &model, .tables = tables.data(), .is_dc = is_dc};
  R32Stream streams[2] = {OpenStream(*bytes[0]), OpenStream(*bytes[1])};
  std::vector<Planes> out[2] = {Emptied(*expected[0], model.narrow()), Emptied(*expected[1], model.narrow())};
  std::vector<R32Image> views[2];
  for (size_t s = 0; s < 2; ++s)
    for (Planes& planes : out[s]) views[s].push_back(planes.View());
  for (size_t first = 0; first < std::max(out[0].size(), out[1].size()); first += batch) {
    std::vector<R32Strand> strands;
    for (size_t s = 0; s < 2; ++s) {
      if (first >= out[s].size()) continue;
      strands.push_back({&streams[s], &views[s][first], std::min(batch, out[s].size() - first)});
    }
    kernels.decode(column, strands.data(), strands.size());
  }
  for (size_t s = 0; s < 2; ++s) {
    for (size_t i = 0; i < out[s].size(); ++i) CheckEqual(out[s][i], (*expected[s])[i], is_dc);
    CheckEnd(streams[s]);
  }
}

std::vector<Planes> RandomImages(std::mt19937& random, const R32Model& model) {
  std::vector<Planes> images;
  const size_t count = 1 + random() % 6;
  for (size_t i = 0; i < count; ++i) {
    const size_t width = 1 + random() % 70;
    images.push_back(RandomPlanes(random, model, width * (1 + random() % 40), width));
  }
  return images;
}

}  // namespace

TEST_CASE("every level of r32 encodes and decodes alike") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const bool is_dc = round % 5 == 0;
    const size_t least = is_dc ? kR32NarrowTokensMax + 1 : 2;
    const size_t tokens = least + random() % (kR32TokensMax + 1 - least);
    CAPTURE(round, is_dc, tokens);
    const ColumnId column{1, static_cast<uint16_t>(is_dc ? 0 : 1 + random() % (kFrequencies - 1))};
    const R32Model model = testutil::RandomR32Model(column, tokens, random);
    std::vector<Planes> first = RandomImages(random, model);
    std::vector<Planes> second = RandomImages(random, model);
    const R32Kernels& reference = GetR32Kernels(SimdLevel::kScalar);
    const std::string first_bytes = Encode(reference, model, is_dc, first);
    const std::string second_bytes = Encode(reference, model, is_dc, second);
    for (SimdLevel level : SupportedSimdLevels()) {
      CAPTURE(SimdLevelName(level));
      const R32Kernels& kernels = GetR32Kernels(level);
      CHECK(Encode(kernels, model, is_dc, first) == first_bytes);
      CheckDecodes(kernels, model, is_dc, 1 + static_cast<size_t>(round) % 4, {&first, &second},
                   {&first_bytes, &second_bytes});
    }
  }
}

}  // namespace freqstore
