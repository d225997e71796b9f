// Which vector instructions may be used, for code that has several implementations of one thing.
//
// A fast path never chooses for itself: its caller passes a level, BestSimdLevel() in the product and each
// supported level in turn in the tests.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace freqstore {

/// Ascending: a CPU that has a level has those below it.
enum class SimdLevel : uint8_t {
  kScalar,  ///< what the compiler's baseline allows (SSE2 on x86-64)
  kAvx2,    ///< AVX2, BMI1, BMI2 and FMA: Haswell, Zen and later
  kAvx512,  ///< AVX-512 F, BW, DQ, VL, VBMI and VBMI2: Ice Lake, Zen 4 and later
};

/// The highest level of this CPU and operating system. Thread-safe; cheap after the first call.
SimdLevel BestSimdLevel();

/// kScalar up to BestSimdLevel().
std::vector<SimdLevel> SupportedSimdLevels();

/// "scalar", "avx2" or "avx512".
std::string_view SimdLevelName(SimdLevel level);

}  // namespace freqstore
