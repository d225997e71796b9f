#include "storage/jpeg/scan_plan.h"

#include <algorithm>

#include "storage/jpeg/huffman_table.h"

namespace freqstore {
namespace {

constexpr int kShiftMax = 13;  // ITU-T T.81, table B.3

std::optional<ScanKind> KindOf(bool progressive, const ScanHeader& header) {
  if (!progressive) return ScanKind::kSequential;
  const bool first = header.approximation_high == 0;
  if (header.approximation_low > kShiftMax) return std::nullopt;
  if (header.spectral_start == 0) {
    if (header.spectral_end != 0) return std::nullopt;
    return first ? ScanKind::kDcFirst : ScanKind::kDcRefine;
  }
  if (header.spectral_start > header.spectral_end || header.spectral_end >= kFrequencies ||
      header.component_count != 1) {
    return std::nullopt;
  }
  return first ? ScanKind::kAcFirst : ScanKind::kAcRefine;
}

uint32_t CeilDiv(uint32_t a, uint32_t b) {
  return (a + b - 1) / b;
}

}  // namespace

std::optional<ScanPlan> PlanScan(const FrameHeader& frame, bool progressive, const ScanHeader& header,
                                 uint32_t restart_interval, const ImageGeometry& geometry,
                                 std::span<const CoefficientPlanes> planes) {
  const std::optional<ScanKind> kind = KindOf(progressive, header);
  if (!kind || frame.components.size() != planes.size()) return std::nullopt;
  ScanPlan plan;
  plan.kind = *kind;
  plan.restart_interval = restart_interval;
  if (progressive) {
    plan.spectral_start = header.spectral_start;
    plan.spectral_end = header.spectral_end;
    plan.shift = header.approximation_low;
  }

  const bool interleaved = header.component_count > 1;
  std::array<bool, kComponentsMax> taken{};
  for (int i = 0; i < header.component_count; ++i) {
    const ScanHeader::Component& entry = header.components[static_cast<size_t>(i)];
    size_t c = 0;
    while (c < planes.size() && (taken[c] || frame.components[c].id != entry.id)) ++c;
    if (c == planes.size() || entry.dc_table >= kHuffmanSlots || entry.ac_table >= kHuffmanSlots)
      return std::nullopt;
    taken[c] = true;
    ScanComponent& component = plan.components[plan.component_count++];
    component.planes = &planes[c];
    component.dc_table = entry.dc_table;
    component.ac_table = entry.ac_table;
    if (interleaved) {
      component.mcu_width_blocks = geometry.components[c].h_samp;
      component.mcu_height_blocks = geometry.components[c].v_samp;
    }
  }

  if (interleaved) {
    plan.mcus_wide = CeilDiv(geometry.width, static_cast<uint32_t>(kBlockSide * geometry.h_samp_max()));
    plan.mcus_high = CeilDiv(geometry.height, static_cast<uint32_t>(kBlockSide * geometry.v_samp_max()));
  } else {
    plan.mcus_wide = plan.components[0].grid().width_blocks;
    plan.mcus_high = plan.components[0].grid().height_blocks;
  }
  return plan;
}

bool UsesTables(ScanKind kind, bool ac) {
  switch (kind) {
    case ScanKind::kSequential:
      return true;
    case ScanKind::kDcFirst:
      return !ac;
    case ScanKind::kAcFirst:
    case ScanKind::kAcRefine:
      return ac;
    case ScanKind::kDcRefine:
      break;
  }
  return false;
}

}  // namespace freqstore
