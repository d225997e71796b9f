#define FREQSTORE_LOOPS kAvx2RenderLoops
#include "gpu/cpu/render/vectors_avx2.inc"
// The vectors first.
#include "gpu/cpu/render/render_loops.inc"
