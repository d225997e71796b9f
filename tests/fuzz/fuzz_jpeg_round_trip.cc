// Any bytes as a JPEG file: what is read of it and has an envelope comes back byte for byte, alone and from a
// block.
#include "storage/jpeg/envelope_block.h"
#include "storage/jpeg/jpeg_envelope.h"
#include "storage/jpeg/jpeg_reader.h"
#include "storage/jpeg/jpeg_writer.h"
#include "tests/fuzz/fuzz_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace freqstore;
  constexpr JpegLimits kLimits{
      .pixels_max = 1 << 16, .scans_max = 20, .markers_max = 200, .marker_bytes_max = 1 << 16};
  const Bytes file(data, size);
  const auto image = ReadJpeg(file, kLimits);
  if (!image.ok()) return 0;
  const EnvelopeResult result = MakeEnvelope(file, *image, kLimits);
  FUZZ_CHECK(result.envelope.empty() == (result.keep_reason != KeepReason::kNone));
  if (result.envelope.empty()) return 0;

  const auto block = EnvelopeBlock::Decompress(AsBytes(CompressEnvelopes({&result.envelope, 1})), size);
  FUZZ_CHECK(block.ok() && block->size() == 1);
  const auto written = WriteJpeg(block->envelope(0), image->geometry, image->components, size);
  FUZZ_CHECK(written.ok() && *written == AsString(file));
  return 0;
}
