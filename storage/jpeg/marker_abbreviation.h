// Short forms of marker payloads that follow wholly or in part from the image, or that most files share.
//
// ENVELOPE.md specifies the bytes. Expand... is the inverse of Abbreviate... for whatever that accepts, and
// returns nullopt for bytes that it never makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "storage/base/coding.h"
#include "storage/base/image_geometry.h"

namespace freqstore {

struct Abbreviation {
  uint8_t flags = 0;  ///< of 0x20, 0x40, 0x80
  std::string bytes;
};

/// APP0 with a JFIF header without thumbnail.
std::optional<Abbreviation> AbbreviateJfif(Bytes payload);
std::optional<std::string> ExpandJfif(uint8_t flags, ByteReader& reader);

/// DQT: steps that some component has are named by that component.
std::optional<Abbreviation> AbbreviateQuantisers(Bytes payload, const ImageGeometry& geometry);
std::optional<std::string> ExpandQuantisers(ByteReader& reader, const ImageGeometry& geometry);

/// SOF of 8 bits a sample: size and sampling are those of the image.
std::optional<Abbreviation> AbbreviateFrame(Bytes payload, const ImageGeometry& geometry);
std::optional<std::string> ExpandFrame(uint8_t flags, ByteReader& reader, const ImageGeometry& geometry);

}  // namespace freqstore
