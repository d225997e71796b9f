// What lies behind the subject: landscapes, walls, out-of-focus lights, foliage, wood.
#pragma once

#include "deploy/sample/picture.h"
#include "deploy/sample/random.h"

namespace freqstore::sample {

/// A colour of the given saturation and brightness (both 0..1) with a random hue.
Colour RandomColour(Random& random, float saturation, float brightness);

/// Fills the picture with one of the kinds of background.
void PaintBackground(Picture& picture, Random& random);

}  // namespace freqstore::sample
