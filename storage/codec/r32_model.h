// What a chunk of the codec `r32` says before its substreams: how contexts are made of lower frequencies, and
// how likely each token is in each context. FORMAT.md, "r32", is the specification.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "storage/base/coding.h"
#include "storage/codec/column.h"

namespace freqstore {

inline constexpr size_t kR32Lanes = 32;  ///< values a step, and blocks a group
inline constexpr uint32_t kR32ProbabilityBits = 10;
inline constexpr uint32_t kR32ProbabilityScale = 1u << kR32ProbabilityBits;
inline constexpr size_t kR32ContextsMax = 8;
inline constexpr size_t kR32TokensMax = 17;
inline constexpr size_t kR32NarrowTokensMax = 9;  ///< with as many tokens or fewer, magnitudes are below 128
inline constexpr size_t kR32ReferencesMax = 6;
inline constexpr uint8_t kR32ActivityMax = 127;

/// The magnitudes that a context looks at.
struct R32Reference {
  /// Values are stored.
  enum class Kind : uint8_t {
    kFrequency = 0,   ///< a lower frequency of the same component
    kHorizontal = 1,  ///< how DC changes along the row
    kVertical = 2,    ///< how DC changes down the column
    kComponent = 3,   ///< the same frequency of the component before (0 where the grids differ)
  };
  Kind kind = Kind::kFrequency;
  uint8_t frequency = 0;  ///< zigzag index, kFrequency only
  uint8_t weight = 0;     ///< 0..127
  friend bool operator==(const R32Reference&, const R32Reference&) = default;
};

/// Activity (0..127) to context: the number of thresholds that it reaches.
struct R32Contexts {
  uint8_t shift = 0;                             ///< activity = min(127, min(32767, weighted sum) >> shift)
  uint8_t count = 1;                             ///< 1..8
  uint8_t thresholds[kR32ContextsMax - 1] = {};  ///< count - 1, ascending, 1..127
  uint8_t Of(uint32_t activity) const;
  friend bool operator==(const R32Contexts&, const R32Contexts&) = default;
};

/// Where the weights of the references come from. For the curious; a reader does not need it.
enum class R32WeightOrigin : uint8_t {
  kDefault = 0,  ///< the same for all photos
  kSegment = 1,  ///< fitted to the segment
};

/// Arrays are C's, and functions not inline: files that are compiled for newer CPUs include this
/// (bp32_implementations.h).
struct R32Model {
  R32WeightOrigin origin = R32WeightOrigin::kDefault;
  uint8_t reference_count = 0;
  R32Reference references[kR32ReferencesMax] = {};

  uint8_t tokens = kR32TokensMax;  ///< the alphabet: tokens 0..tokens-1; 2..17, of DC 10 at least
  R32Contexts values;
  /// Frequencies of the tokens in each context: they add up to kR32ProbabilityScale, each is below it.
  uint16_t tables[kR32ContextsMax][kR32TokensMax] = {};

  bool marks_groups = false;  ///< whether groups without a value other than 0 are left out
  R32Contexts groups;
  uint16_t occupied[kR32ContextsMax] = {};  ///< frequency of "not left out", a context

  bool narrow() const;  ///< whether all values are certain to fit int8
  std::span<const R32Reference> used_references() const;
  friend bool operator==(const R32Model&, const R32Model&) = default;
};

/// The columns that must be decoded before `column` is.
ColumnSet R32ContextColumns(ColumnId column, const R32Model& model);

std::string SerializeR32Model(const R32Model& model);

/// The inverse. `bytes` are not trusted: DATA_LOSS (CORRUPT_CHUNK) unless they are exactly a model in which
/// everything that the codec relies on holds for `column`.
absl::StatusOr<R32Model> ParseR32Model(ColumnId column, Bytes bytes);

}  // namespace freqstore
