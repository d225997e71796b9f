#include "storage/jpeg/usual_coding.h"

#include <vector>

#include "storage/base/dct.h"

namespace freqstore {
namespace {

void AppendByte(std::string& out, size_t byte) {
  out.push_back(static_cast<char>(byte));
}

struct Progression {
  std::vector<size_t> components;
  size_t start;
  size_t end;
  size_t high;
  size_t low;
};

std::vector<size_t> AllComponents(const ImageGeometry& geometry) {
  std::vector<size_t> all(geometry.components.size());
  for (size_t c = 0; c < all.size(); ++c) all[c] = c;
  return all;
}

std::vector<Progression> SimpleProgression(const ImageGeometry& geometry) {
  const std::vector<size_t> all = AllComponents(geometry);
  if (geometry.color == ColorModel::kYCbCr && all.size() == 3) {
    return {{all, 0, 0, 0, 1},  {{0}, 1, 5, 0, 2},  {{2}, 1, 63, 0, 1}, {{1}, 1, 63, 0, 1},
            {{0}, 6, 63, 0, 2}, {{0}, 1, 63, 2, 1}, {all, 0, 0, 1, 0},  {{2}, 1, 63, 1, 0},
            {{1}, 1, 63, 1, 0}, {{0}, 1, 63, 1, 0}};
  }
  std::vector<Progression> scans = {{all, 0, 0, 0, 1}};
  const auto add_each = [&](size_t start, size_t end, size_t high, size_t low) {
    for (const size_t c : all) scans.push_back({{c}, start, end, high, low});
  };
  add_each(1, 5, 0, 2);
  add_each(6, 63, 0, 2);
  add_each(1, 63, 2, 1);
  scans.push_back({all, 0, 0, 1, 0});
  add_each(1, 63, 1, 0);
  return scans;
}

std::string ScanPayload(const ImageGeometry& geometry, Bytes ids, const Progression& scan, bool progressive) {
  std::string payload;
  AppendByte(payload, scan.components.size());
  for (const size_t c : scan.components) {
    const size_t table = UsualSlot(geometry, c);
    // A progressive scan names only the tables that it uses.
    const bool uses_dc = !progressive || (scan.start == 0 && scan.high == 0);
    const bool uses_ac = !progressive || scan.start > 0;
    AppendByte(payload, ids[c]);
    AppendByte(payload, (uses_dc ? table << 4 : 0) | (uses_ac ? table : 0));
  }
  AppendByte(payload, scan.start);
  AppendByte(payload, scan.end);
  AppendByte(payload, scan.high << 4 | scan.low);
  return payload;
}

}  // namespace

size_t UsualId(const ImageGeometry& geometry, size_t component) {
  switch (geometry.color) {
    case ColorModel::kRgb:
      return static_cast<size_t>("RGB"[component]);
    case ColorModel::kCmyk:
    case ColorModel::kAdobeCmyk:
      return static_cast<size_t>("CMYK"[component]);
    default:
      return component + 1;
  }
}

size_t UsualSlot(const ImageGeometry& geometry, size_t component) {
  const bool has_chroma = geometry.color == ColorModel::kYCbCr || geometry.color == ColorModel::kAdobeYcck;
  return has_chroma && (component == 1 || component == 2) ? 1 : 0;
}

std::optional<std::string> UsualScan(const ImageGeometry& geometry, Bytes ids, bool progressive,
                                     uint32_t ordinal) {
  if (ids.size() != geometry.components.size()) return std::nullopt;
  if (!progressive) {
    if (ordinal > 0) return std::nullopt;
    return ScanPayload(geometry, ids, {AllComponents(geometry), 0, kFrequencies - 1, 0, 0}, false);
  }
  const std::vector<Progression> scans = SimpleProgression(geometry);
  if (ordinal >= scans.size()) return std::nullopt;
  return ScanPayload(geometry, ids, scans[ordinal], true);
}

}  // namespace freqstore
