#define FREQSTORE_LOOPS kAvx512ReducedLoops
#include "gpu/cpu/render/vectors_avx512.inc"
// The vectors first.
#include "gpu/cpu/render/reduced_loops.inc"
