#define FREQSTORE_LANES 8
#define FREQSTORE_LOOPS kAvx2RenderLoops
#include "gpu/cpu/render/render_loops.inc"
