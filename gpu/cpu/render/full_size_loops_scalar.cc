#define FREQSTORE_LANES 4
#define FREQSTORE_LOOPS kScalarFullSizeLoops
#include "gpu/cpu/render/full_size_loops.inc"
