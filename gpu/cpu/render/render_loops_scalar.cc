#define FREQSTORE_LOOPS kScalarRenderLoops
#include "gpu/cpu/render/vectors_scalar.inc"
// The vectors first.
#include "gpu/cpu/render/render_loops.inc"
