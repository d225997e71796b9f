#include "storage/kv/log_check.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

namespace fs = std::filesystem;

// RocksDB's log format: blocks of 32 KiB, each a row of fragments: masked CRC-32C of type and payload u32,
// payload bytes u16, type u8, payload; little-endian. Less than a header at the end of a block is padding.
constexpr size_t kBlockBytes = size_t{32} << 10;
constexpr size_t kHeaderBytes = 7;
constexpr uint8_t kFull = 1;
constexpr uint8_t kFirst = 2;
constexpr uint8_t kLast = 4;

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0);
    table[i] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kCrcTable = MakeCrcTable();

uint32_t MaskedCrc32c(std::string_view bytes) {
  uint32_t crc = ~0U;
  for (const char byte : bytes) crc = (crc >> 8) ^ kCrcTable[(crc ^ static_cast<uint8_t>(byte)) & 0xff];
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

struct Fragment {
  size_t bytes = 0;
  bool begins_record = false;
};

/// The fragment at the beginning of `block`'s rest, if there is a sound one.
std::optional<Fragment> SoundFragment(std::string_view rest) {
  const auto byte = [&](size_t i) -> uint32_t { return static_cast<uint8_t>(rest[i]); };
  const uint32_t type = byte(6);
  const size_t payload_bytes = byte(4) | byte(5) << 8;
  if (type < kFull || type > kLast || kHeaderBytes + payload_bytes > rest.size()) return std::nullopt;
  const uint32_t crc = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
  if (MaskedCrc32c(rest.substr(6, 1 + payload_bytes)) != crc) return std::nullopt;
  return Fragment{kHeaderBytes + payload_bytes, type == kFull || type == kFirst};
}

absl::Status CheckLog(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string buffer(kBlockBytes, '\0');
  std::optional<uint64_t> damage;
  for (uint64_t block_offset = 0; file; block_offset += kBlockBytes) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const std::string_view block(buffer.data(), static_cast<size_t>(file.gcount()));
    for (size_t at = 0; at + kHeaderBytes <= block.size();) {
      const std::optional<Fragment> fragment = SoundFragment(block.substr(at));
      if (damage && fragment && fragment->begins_record) {
        return MakeError(
            absl::StatusCode::kDataLoss, "STORE_CORRUPT",
            fmt::format("log {} is damaged at byte {}, and sound records follow at byte {}: restore a "
                        "checkpoint",
                        path.string(), *damage, block_offset + at));
      }
      if (!fragment && !damage) damage = block_offset + at;
      at += fragment ? fragment->bytes : 1;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckLogs(const fs::path& folder) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().extension() == ".log") RETURN_IF_ERROR(CheckLog(entry->path()));
  }
  return absl::OkStatus();
}

}  // namespace freqstore
