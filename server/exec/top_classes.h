// The best classes of a classifier's output.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "server/exec/infer_operator.h"

namespace freqstore {

/// The `count` best of `outputs`, best first; ties go to the lower index. Scores are the softmax of the
/// outputs, or the outputs themselves where they are a distribution already (none negative, sum 1 within
/// 0.001).
std::vector<ClassScore> TopClasses(std::span<const float> outputs, uint32_t count);

}  // namespace freqstore
