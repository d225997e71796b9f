// Which lower frequencies an encoder predicts a column from.
#pragma once

#include <vector>

#include "storage/codec/column.h"
#include "storage/codec/r32_model.h"

namespace freqstore {

/// References for `column`, with weights that suit photos: the neighbours at lower frequencies, the same
/// frequency of Cb for Cr, the changes of DC for the lowest, the transposed frequency. None for DC.
std::vector<R32Reference> DefaultR32References(ColumnId column);

}  // namespace freqstore
