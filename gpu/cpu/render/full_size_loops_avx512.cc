#define FREQSTORE_LOOPS kAvx512FullSizeLoops
#include "gpu/cpu/render/vectors_avx512.inc"
// The vectors first.
#include "gpu/cpu/render/full_size_loops.inc"
