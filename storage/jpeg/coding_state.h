// What the markers before a scan say about how it is coded.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "storage/base/coefficient_planes.h"
#include "storage/base/image_geometry.h"
#include "storage/jpeg/huffman_table.h"
#include "storage/jpeg/jpeg_recipe.h"
#include "storage/jpeg/scan_coder.h"
#include "storage/jpeg/scan_learner.h"
#include "storage/jpeg/scan_plan.h"

namespace freqstore {

/// Follows a recipe's segments. Starts with the standard Huffman tables, which Motion JPEG files rely on.
class CodingState {
 public:
  /// The coefficients of an image; they must outlive the state. `planes` has a component for each of
  /// `geometry`.
  CodingState(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes);

  /// Takes note of a marker: frame, restart interval, Huffman tables (whose content must be known).
  void Apply(const RecipeSegment& segment);

  /// The plan of a scan; nullopt if its header makes no sense here.
  std::optional<ScanPlan> Plan(const RecipeSegment& scan) const;

  /// The codes that a plan needs, valid until Apply; false if one is missing or no prefix code.
  bool CodesFor(const ScanPlan& plan, ScanTables& codes);

  /// The tables themselves.
  HuffmanTables tables() const;

 private:
  struct Slot {
    std::optional<HuffmanTable> table;
    std::unique_ptr<HuffmanCodes> codes;  // made when first needed
  };

  const ImageGeometry& geometry_;
  std::span<const CoefficientPlanes> planes_;
  std::optional<FrameHeader> frame_;
  bool progressive_ = false;
  uint32_t restart_interval_ = 0;
  std::array<std::array<Slot, kHuffmanSlots>, kHuffmanClasses> slots_;
};

/// True if geometry and coefficients belong together: what writing a file relies on.
bool AreConsistent(const ImageGeometry& geometry, std::span<const CoefficientPlanes> planes);

}  // namespace freqstore
