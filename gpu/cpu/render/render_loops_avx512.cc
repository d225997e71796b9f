#define FREQSTORE_LOOPS kAvx512RenderLoops
#include "gpu/cpu/render/vectors_avx512.inc"
// The vectors first.
#include "gpu/cpu/render/render_loops.inc"
