#include "storage/jpeg/coding_state.h"

namespace freqstore {
namespace {

constexpr uint32_t kSideMax = 65535;
constexpr uint8_t kSamplingMax = 4;

}  // namespace

CodingState::CodingState(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes)
    : geometry_(geometry), planes_(planes) {
  slots_[0][0].table = StandardHuffmanTable(StandardTable::kDcLuma);
  slots_[0][1].table = StandardHuffmanTable(StandardTable::kDcChroma);
  slots_[1][0].table = StandardHuffmanTable(StandardTable::kAcLuma);
  slots_[1][1].table = StandardHuffmanTable(StandardTable::kAcChroma);
}

void CodingState::Apply(const RecipeSegment& segment) {
  if (segment.code == marker::kDri && segment.payload.size() == 2) {
    restart_interval_ = static_cast<uint32_t>(segment.payload[0] << 8 | segment.payload[1]);
  } else if (IsFrameMarker(segment.code)) {
    frame_ = ParseFrameHeader(segment.payload);
    progressive_ = segment.code == marker::kSof2;
  } else if (segment.code == marker::kDht) {
    for (const RecipeTable& table : segment.tables) {
      Slot& slot = slots_[table.is_ac() ? 1 : 0][table.slot()];
      slot.table = table.table;
      slot.codes.reset();
    }
  }
}

std::optional<ScanPlan> CodingState::Plan(const RecipeSegment& scan) const {
  const std::optional<ScanHeader> header = ParseScanHeader(scan.payload);
  if (!header || !frame_) return std::nullopt;
  return PlanScan(*frame_, progressive_, *header, restart_interval_, geometry_, planes_);
}

bool CodingState::CodesFor(const ScanPlan& plan, ScanTables& codes) {
  codes = {};
  for (const ScanComponent& component : plan.scan_components()) {
    for (size_t i = 0; i < kHuffmanClasses; ++i) {
      if (!UsesTables(plan.kind, i == 1)) continue;
      const size_t index = i == 1 ? component.ac_table : component.dc_table;
      Slot& slot = slots_[i][index];
      if (!slot.codes) {
        if (!slot.table) return false;
        const std::optional<HuffmanCodes> made = CodesOf(*slot.table);
        if (!made) return false;
        slot.codes = std::make_unique<HuffmanCodes>(*made);
      }
      codes[i][index] = slot.codes.get();
    }
  }
  return true;
}

HuffmanTables CodingState::tables() const {
  HuffmanTables tables{};
  for (size_t i = 0; i < kHuffmanClasses; ++i) {
    for (size_t s = 0; s < kHuffmanSlots; ++s) {
      if (slots_[i][s].table) tables[i][s] = &*slots_[i][s].table;
    }
  }
  return tables;
}

bool AreConsistent(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes) {
  const size_t count = geometry.components.size();
  if (count < 1 || count > kComponentsMax || count != planes.size()) return false;
  if (geometry.width < 1 || geometry.width > kSideMax || geometry.height < 1 || geometry.height > kSideMax)
    return false;
  for (const ComponentGeometry& component : geometry.components) {
    if (component.h_samp < 1 || component.h_samp > kSamplingMax || component.v_samp < 1 ||
        component.v_samp > kSamplingMax) {
      return false;
    }
  }
  for (size_t c = 0; c < count; ++c) {
    const BlockGrid grid = ExpectedGrid(geometry, geometry.components[c]);
    if (geometry.components[c].grid != grid || planes[c].grid() != grid ||
        planes[c].frequencies() != FrequencySet::All()) {
      return false;
    }
  }
  return true;
}

}  // namespace freqstore
