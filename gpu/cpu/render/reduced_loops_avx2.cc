#define FREQSTORE_LOOPS kAvx2ReducedLoops
#include "gpu/cpu/render/vectors_avx2.inc"
// The vectors first.
#include "gpu/cpu/render/reduced_loops.inc"
