// What a file holds beside its coefficients, so that the file can be forgotten.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/base/coding.h"
#include "storage/jpeg/jpeg_reader.h"

namespace freqstore {

/// Why a file cannot be rebuilt from coefficients and envelope, so that its own bytes have to be kept. Values
/// and names are stored and counted: never renumber or rename.
enum class KeepReason : uint8_t {
  kNone = 0,              ///< NONE: it can
  kArithmeticCoding = 1,  ///< ARITHMETIC_CODING: coded so; only Huffman coding is written
  kDamagedScan = 2,       ///< DAMAGED_SCAN: libjpeg-turbo gave warnings about it, and it is not rebuilt
  kManyScans = 3,         ///< MANY_SCANS: more than kEnvelopeScansMax
  kLargeEnvelope = 4,     ///< LARGE_ENVELOPE: the envelope would be no smaller than the file
  kNotRebuilt = 5,        ///< NOT_REBUILT: what is written differs from the file
};

/// "NONE", "ARITHMETIC_CODING", ...
std::string_view KeepReasonName(KeepReason reason);

struct EnvelopeResult {
  std::string envelope;  ///< for WriteJpeg and EnvelopeBlock; empty if the file has to be kept
  KeepReason keep_reason = KeepReason::kNone;
};

/// The envelope of `file`, from which ReadJpeg made `image` under `limits`.
///
/// An envelope is given only if the file was written from the image's coefficients and it, and was the same,
/// byte for byte. Thread-safe.
EnvelopeResult MakeEnvelope(Bytes file, const JpegImage& image, const JpegLimits& limits = {});

}  // namespace freqstore
