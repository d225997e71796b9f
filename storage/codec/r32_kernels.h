// The inner loops of r32: one image of one column, from the lanes' states and words to values, and back.
//
// r32_reference.cc is the plain meaning of it all; the others give the same values and words. Planes and
// counts have slack for whole groups (CoefficientPlanes::kSlackValues), whose values are unspecified.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/base/cpu_features.h"
#include "storage/codec/r32_model.h"

namespace freqstore {

/// A substream that is being decoded, image after image.
struct R32Stream {
  alignas(64) uint16_t high[kR32Lanes];  ///< the state of a lane is high * 65536 + low
  alignas(64) uint16_t low[kR32Lanes];
  const uint8_t* words = nullptr;  ///< 16 bits each, little-endian, of any alignment
  size_t next = 0;                 ///< the word to be read next; beyond `end` if the stream is damaged
  size_t end = 0;                  ///< words from here on are read as 0
};

/// What the values of one image are predicted from, in the order of the model's references.
struct R32References {
  const int8_t* planes[kR32ReferencesMax] = {};  ///< a value a block, clamped; the magnitude counts
  const uint8_t* counts[kR32ReferencesMax] =
      {};  ///< a group of 32 blocks: how many values are not 0; decoding DC leaves them alone
};

/// The values of one image of a column, and where they are predicted from.
struct R32Image {
  size_t blocks = 0;
  size_t width_blocks = 0;
  R32References references;
  int8_t* narrow = nullptr;   ///< the values of a narrow column; null for a wide one, of which DC always is
  int16_t* wide = nullptr;    ///< the values of a wide column; residuals if it is DC
  int8_t* context = nullptr;  ///< the values of a wide column, clamped to -128..127
  uint8_t* counts = nullptr;  ///< a group: how many values are not 0; decoding DC leaves them alone
  uint32_t* occupied = nullptr;  ///< scratch: as many as there are groups, and kR32Lanes
};

struct R32Column {
  const R32Model* model = nullptr;
  const uint8_t* tables = nullptr;  ///< what prepare() made of the model
  bool is_dc = false;
};

/// The next images of a substream.
struct R32Strand {
  R32Stream* stream = nullptr;
  const R32Image* images = nullptr;
  size_t count = 0;
};
inline constexpr size_t kR32StrandsMax = 2;

/// The lanes and words of a substream that is being encoded, from its end to its start.
struct R32Sink {
  uint32_t states[kR32Lanes];
  uint16_t* words = nullptr;  ///< the next word goes below
};

/// What encode() wants of a model.
struct R32EncodeTable {
  explicit R32EncodeTable(const R32Model& model);

  const R32Model& model;
  /// Frequency of a token, and 2^16 times the sum of those before it.
  uint32_t entries[kR32ContextsMax][32] = {};
};

/// An image takes no more words than this.
size_t R32WordsMax(size_t blocks);

/// How far above a block of DC the row is whose residuals tell its context: whole rows, at least 33 blocks,
/// so that the 32 blocks of a group do not depend on each other.
size_t R32DcDistance(size_t width_blocks);

/// The activity of blocks of DC that have no such row above.
inline constexpr uint8_t kR32DcBorderActivity = kR32ActivityMax;

/// A quarter of the residuals' magnitudes a row above: left of the block, twice above it, right of it.
/// `residuals` are clamped to -128..127.
uint8_t R32DcActivity(const int8_t* residuals, size_t distance, size_t block);

struct R32Kernels {
  /// Size and content of the tables that decode() wants, aligned to 64 bytes.
  size_t (*table_bytes)(const R32Model& model);
  void (*prepare)(const R32Model& model, uint8_t* tables);

  /// Decodes images of `count` substreams of a column, up to kR32StrandsMax: side by side, for one alone
  /// would mostly wait for its own results.
  void (*decode)(const R32Column& column, const R32Strand* strands, size_t count);

  /// The activity, 0..127, at each of `count` places of as many `planes` as the model has references.
  void (*activities)(const R32Model& model, const int8_t* const* planes, uint8_t shift, size_t count,
                     uint8_t* out);

  /// Encodes an image in front of what `sink` has. Its values have tokens of the model. `activities` has a
  /// byte a block, `group_activities` one a group (where the model marks groups), both with slack.
  void (*encode)(const R32EncodeTable& table, const R32Image& image, const uint8_t* activities,
                 const uint8_t* group_activities, R32Sink& sink);
};

/// The kernels of a level that this machine supports; kScalar is the reference. They live for ever.
const R32Kernels& GetR32Kernels(SimdLevel level);

}  // namespace freqstore
