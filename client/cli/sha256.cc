#include "client/cli/sha256.h"

#include <openssl/sha.h>

namespace freqstore::cli {

std::string Sha256(const std::string& bytes) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

}  // namespace freqstore::cli
