#include "gpu/cpu/model/single_thread_scope.h"

// Declared here, not taken from <omp.h>: the runtime has to be the one oneDNN is linked with (libgomp),
// whichever compiler builds this file and whichever OpenMP it brings.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int threads);
}

namespace freqstore {

SingleThreadScope::SingleThreadScope() : threads_before_(omp_get_max_threads()) {
  omp_set_num_threads(1);
}

SingleThreadScope::~SingleThreadScope() {
  omp_set_num_threads(threads_before_);
}

}  // namespace freqstore
