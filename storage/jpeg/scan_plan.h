// What one scan codes, and in which order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "storage/base/coefficient_planes.h"
#include "storage/base/image_geometry.h"
#include "storage/jpeg/jpeg_markers.h"

namespace freqstore {

/// A component in a scan. `planes` is a view: wide or narrow, all 64 frequencies.
struct ScanComponent {
  const CoefficientPlanes* planes = nullptr;
  uint32_t mcu_width_blocks = 1;  ///< blocks of it in an MCU
  uint32_t mcu_height_blocks = 1;
  size_t dc_table = 0;  ///< slot, 0..3
  size_t ac_table = 0;

  const BlockGrid& grid() const { return planes->grid(); }
};

enum class ScanKind : uint8_t { kSequential, kDcFirst, kDcRefine, kAcFirst, kAcRefine };

struct ScanPlan {
  std::array<ScanComponent, kComponentsMax> components;
  size_t component_count = 0;
  ScanKind kind = ScanKind::kSequential;
  int spectral_start = 0;  ///< zigzag indices, both included
  int spectral_end = kFrequencies - 1;
  int shift = 0;  ///< successive approximation: the lowest bit that the scan codes
  uint32_t mcus_wide = 0;
  uint32_t mcus_high = 0;
  uint32_t restart_interval = 0;  ///< MCUs; 0 for none

  std::span<const ScanComponent> scan_components() const { return {components.data(), component_count}; }
};

/// The plan of a scan with `header` in a frame (`frame`, `progressive`) whose coefficients are `planes`, the
/// components in the frame's order, of `geometry`'s grids. nullopt if header and frame do not go together.
std::optional<ScanPlan> PlanScan(const FrameHeader& frame, bool progressive, const ScanHeader& header,
                                 uint32_t restart_interval, const ImageGeometry& geometry,
                                 std::span<const CoefficientPlanes> planes);

/// True if scans of this kind code symbols with the tables of a class: DC (false) or AC (true).
bool UsesTables(ScanKind kind, bool ac);

}  // namespace freqstore
