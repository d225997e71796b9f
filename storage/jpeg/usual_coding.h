// What libjpeg's encoder does unless it is told otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "storage/base/coding.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

/// The id of a component.
size_t UsualId(const ImageGeometry& geometry, size_t component);

/// The slot of a component's quantisation table, and of its Huffman tables: 1 for chroma, else 0.
size_t UsualSlot(const ImageGeometry& geometry, size_t component);

/// The payload of SOS that libjpeg's defaults give scan `ordinal` of a file: one scan of all components, or
/// jpeg_simple_progression. `ids` are those of the components. nullopt if there is no such scan.
std::optional<std::string> UsualScan(const ImageGeometry& geometry, Bytes ids, bool progressive,
                                     uint32_t ordinal);

}  // namespace freqstore
