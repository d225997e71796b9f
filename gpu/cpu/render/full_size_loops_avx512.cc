#define FREQSTORE_LANES 16
#define FREQSTORE_LOOPS kAvx512FullSizeLoops
#include "gpu/cpu/render/full_size_loops.inc"
