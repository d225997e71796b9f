#define FREQSTORE_LANES 16
#define FREQSTORE_LOOPS kAvx512RenderLoops
#include "gpu/cpu/render/render_loops.inc"
