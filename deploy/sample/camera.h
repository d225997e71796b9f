// What a camera does to a scene: light falls off, lenses blur, sensors are noisy.
#pragma once

#include "deploy/sample/picture.h"
#include "deploy/sample/random.h"

namespace freqstore::sample {

/// Uneven light, vignette, a slight lens blur, exposure and colour cast, then sensor noise (in this order).
void TakePhoto(Picture& picture, Random& random);

}  // namespace freqstore::sample
