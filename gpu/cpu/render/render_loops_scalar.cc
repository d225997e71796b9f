#define FREQSTORE_LANES 4
#define FREQSTORE_LOOPS kScalarRenderLoops
#include "gpu/cpu/render/render_loops.inc"
