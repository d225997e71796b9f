#include "storage/engine/envelopes.h"

#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "storage/jpeg/envelope_block.h"

namespace freqstore {
namespace {

constexpr size_t kChecksumBytes = 8;

/// An import message has at most 64 MiB, and an envelope is smaller than its file.
constexpr size_t kBlockBytesMax = size_t{2} << 30;

}  // namespace

std::string SealEnvelopes(std::span<const std::string> envelopes) {
  std::string value = CompressEnvelopes(envelopes);
  AppendLittleEndian(value, Checksum64(AsBytes(value)));
  return value;
}

absl::StatusOr<std::vector<std::string>> OpenEnvelopes(Bytes value, size_t images) {
  if (value.size() < kChecksumBytes)
    return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ENVELOPE", "the envelopes are cut off");
  const Bytes block = value.first(value.size() - kChecksumBytes);
  const uint64_t checksum = ByteReader(value.last(kChecksumBytes)).ReadLittleEndian<uint64_t>().value_or(0);
  if (checksum != Checksum64(block))
    return MakeError(absl::StatusCode::kDataLoss, "CHECKSUM_MISMATCH",
                     "the envelopes' bytes do not have their checksum");
  ASSIGN_OR_RETURN(const EnvelopeBlock opened, EnvelopeBlock::Decompress(block, kBlockBytesMax));
  if (opened.size() != images) {
    return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ENVELOPE",
                     "there are not as many envelopes as images");
  }
  std::vector<std::string> envelopes;
  for (size_t i = 0; i < images; ++i) envelopes.emplace_back(AsString(opened.envelope(i)));
  return envelopes;
}

}  // namespace freqstore
