#include "storage/base/hash.h"

#include <xxhash.h>
#if defined(__x86_64__)
// Makes XXH3_64bits choose between SSE2, AVX2 and AVX-512 at run time.
#include <xxh_x86dispatch.h>
#endif

#include <openssl/sha.h>

namespace freqstore {

uint64_t Checksum64(Bytes bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string Sha256(Bytes bytes) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

}  // namespace freqstore
