#include "storage/base/hash.h"

#include <xxhash.h>

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
