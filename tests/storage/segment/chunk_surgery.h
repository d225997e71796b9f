// Changes to chunks whose checksums are then made to agree with them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace freqstore::testutil {

/// Where the front of a chunk ends, that is, its checksum begins.
size_t FrontBytes(const std::string& chunk);

/// The chunk with other bytes at `position` of its front.
std::string WithFrontBytes(std::string chunk, size_t position, std::string_view bytes);

/// Lets all checksums agree with what they are of; lengths must be sound.
void Reseal(std::string& chunk);

/// The place of a substream in a chunk, and its length.
struct SubstreamPlace {
  size_t begin;
  size_t bytes;
};
SubstreamPlace PlaceOf(const std::string& chunk, size_t substream);

}  // namespace freqstore::testutil
