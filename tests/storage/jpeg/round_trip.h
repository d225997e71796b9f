// A file in and out again.
#pragma once

#include <string>

#include <catch2/catch_test_macros.hpp>

#include "storage/jpeg/jpeg_envelope.h"
#include "storage/jpeg/jpeg_reader.h"
#include "storage/jpeg/jpeg_writer.h"

namespace freqstore::testutil {

/// Reads a file, makes its envelope, and if there is one, writes the file again and compares.
inline KeepReason RoundTrip(const std::string& file, size_t* envelope_bytes = nullptr) {
  const auto image = ReadJpeg(AsBytes(file), {});
  REQUIRE(image.ok());
  const EnvelopeResult result = MakeEnvelope(AsBytes(file), *image);
  CHECK(result.envelope.empty() == (result.keep_reason != KeepReason::kNone));
  if (envelope_bytes != nullptr) *envelope_bytes = result.envelope.size();
  if (result.envelope.empty()) return result.keep_reason;
  const auto written = WriteJpeg(AsBytes(result.envelope), image->geometry, image->components, file.size());
  REQUIRE(written.ok());
  REQUIRE(*written == file);
  return result.keep_reason;
}

}  // namespace freqstore::testutil
