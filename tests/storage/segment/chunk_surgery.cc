#include "tests/storage/segment/chunk_surgery.h"

#include "storage/base/coding.h"
#include "storage/base/hash.h"

namespace freqstore::testutil {
namespace {

constexpr size_t kHeaderBytes = 32;
constexpr size_t kEntryBytes = 8;
constexpr size_t kChecksumBytes = 8;

uint32_t ReadU32(const std::string& chunk, size_t offset) {
  return ByteReader(AsBytes(chunk).subspan(offset)).ReadLittleEndian<uint32_t>().value();
}

template <typename T>
void Put(std::string& chunk, size_t offset, T value) {
  std::string bytes;
  AppendLittleEndian(bytes, value);
  chunk.replace(offset, bytes.size(), bytes);
}

size_t Substreams(const std::string& chunk) {
  const size_t images_per_substream = ReadU32(chunk, 12);
  return (ReadU32(chunk, 16) + images_per_substream - 1) / images_per_substream;
}

void SealFront(std::string& chunk, size_t front_bytes) {
  Put(chunk, front_bytes, Checksum64(AsBytes(chunk).first(front_bytes)));
}

}  // namespace

size_t FrontBytes(const std::string& chunk) {
  return kHeaderBytes + kEntryBytes * Substreams(chunk) + ReadU32(chunk, 20);
}

std::string WithFrontBytes(std::string chunk, size_t position, std::string_view bytes) {
  const size_t front_bytes = FrontBytes(chunk);
  chunk.replace(position, bytes.size(), bytes);
  SealFront(chunk, front_bytes);
  return chunk;
}

SubstreamPlace PlaceOf(const std::string& chunk, size_t substream) {
  const auto end_of = [&](size_t s) -> size_t { return ReadU32(chunk, kHeaderBytes + kEntryBytes * s); };
  const size_t begin = substream == 0 ? 0 : end_of(substream - 1);
  return {.begin = FrontBytes(chunk) + kChecksumBytes + begin, .bytes = end_of(substream) - begin};
}

void Reseal(std::string& chunk) {
  for (size_t s = 0; s < Substreams(chunk); ++s) {
    const SubstreamPlace place = PlaceOf(chunk, s);
    Put(chunk, kHeaderBytes + kEntryBytes * s + sizeof(uint32_t),
        static_cast<uint32_t>(Checksum64(AsBytes(chunk).subspan(place.begin, place.bytes))));
  }
  SealFront(chunk, FrontBytes(chunk));
}

}  // namespace freqstore::testutil
