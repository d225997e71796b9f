#define FREQSTORE_LOOPS kAvx2FullSizeLoops
#include "gpu/cpu/render/vectors_avx2.inc"
// The vectors first.
#include "gpu/cpu/render/full_size_loops.inc"
