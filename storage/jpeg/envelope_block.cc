#include "storage/jpeg/envelope_block.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <memory>
#include <zstd.h>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/base/varint.h"

namespace freqstore {
namespace {

constexpr uint8_t kVersion = 1;
constexpr int kLevel = 9;  // 19 saves 2 % and takes 30 times as long

// The window reaches over the whole block, up to a size that a reader grants without being asked.
constexpr int kWindowLogMin = 10;
constexpr int kWindowLogMax = 27;

// The table of sizes comes on top of the envelopes.
constexpr size_t kTableBytesMax = kEnvelopesMax * kVarintBytesMax + kVarintBytesMax;

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ENVELOPE", message);
}

}  // namespace

std::string CompressEnvelopes(std::span<const std::string> envelopes) {
  assert(envelopes.size() <= kEnvelopesMax);
  std::string plain;
  AppendVarint(plain, envelopes.size());
  for (const std::string& envelope : envelopes) AppendVarint(plain, envelope.size());
  for (const std::string& envelope : envelopes) plain += envelope;

  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(
      context.get(), ZSTD_c_windowLog,
      std::clamp(static_cast<int>(std::bit_width(plain.size())), kWindowLogMin, kWindowLogMax));
  std::string block(1 + ZSTD_compressBound(plain.size()), '\0');
  block[0] = static_cast<char>(kVersion);
  const size_t bytes =
      ZSTD_compress2(context.get(), block.data() + 1, block.size() - 1, plain.data(), plain.size());
  assert(ZSTD_isError(bytes) == 0);
  block.resize(1 + bytes);
  return block;
}

absl::StatusOr<EnvelopeBlock> EnvelopeBlock::Decompress(Bytes block, size_t bytes_max) {
  if (block.empty() || block[0] != kVersion) return Corrupt("an envelope block of an unknown version");
  const Bytes frame = block.subspan(1);
  const unsigned long long plain_bytes = ZSTD_getFrameContentSize(frame.data(), frame.size());
  // The two errors that this returns instead of a size are the largest numbers.
  if (plain_bytes > bytes_max + kTableBytesMax)
    return Corrupt(fmt::format("an envelope block without a size, or of more than {} bytes", bytes_max));

  EnvelopeBlock result;
  result.bytes_.resize(static_cast<size_t>(plain_bytes));
  const size_t bytes =
      ZSTD_decompress(result.bytes_.data(), result.bytes_.size(), frame.data(), frame.size());
  if (ZSTD_isError(bytes) != 0 || bytes != result.bytes_.size())
    return Corrupt("an envelope block cannot be decompressed");

  ByteReader reader(result.bytes_);
  const std::optional<uint64_t> count = ReadVarint(reader);
  if (!count || *count > kEnvelopesMax) return Corrupt("an envelope block has no count of envelopes");
  size_t end = 0;
  for (uint64_t i = 0; i < *count; ++i) {
    const std::optional<uint64_t> size = ReadVarint(reader);
    if (!size || *size > result.bytes_.size() - end) return Corrupt("an envelope block has wrong sizes");
    end += static_cast<size_t>(*size);
    result.ends_.push_back(end);
  }
  if (reader.remaining() != end) return Corrupt("an envelope block's sizes do not add up");
  result.start_ = result.bytes_.size() - end;
  return result;
}

Bytes EnvelopeBlock::envelope(size_t i) const {
  assert(i < ends_.size());
  const size_t begin = i == 0 ? 0 : ends_[i - 1];
  return Bytes(bytes_).subspan(start_ + begin, ends_[i] - begin);
}

}  // namespace freqstore
