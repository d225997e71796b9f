// The classes of the sample: what a photo shows.
#pragma once

#include <array>
#include <string_view>

#include "deploy/sample/picture.h"
#include "deploy/sample/random.h"

namespace freqstore::sample {

/// Class names; a class's index is its place here. Part of the trained network's meaning: append only.
inline constexpr std::array<std::string_view, 10> kClassNames = {
    "circle", "square", "triangle", "star", "cross", "ring", "stripes", "checkerboard", "heart", "crescent"};

/// Paints one subject of class `class_index` (into kClassNames), with its shadow and sometimes something in
/// front of it, at a random place, size, rotation and colour. Most of the subject is inside the picture.
void PaintSubject(Picture& picture, int class_index, Random& random);

}  // namespace freqstore::sample
