#define FREQSTORE_LANES 8
#define FREQSTORE_LOOPS kAvx2FullSizeLoops
#include "gpu/cpu/render/full_size_loops.inc"
