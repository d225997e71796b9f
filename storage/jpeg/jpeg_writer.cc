#include "storage/jpeg/jpeg_writer.h"

#include <memory>
#include <optional>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/jpeg/coding_state.h"
#include "storage/jpeg/envelope_format.h"
#include "storage/jpeg/marker_writer.h"

namespace freqstore {
namespace {

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ENVELOPE", message);
}

class RecipeWriter {
 public:
  RecipeWriter(JpegRecipe& recipe, const ImageGeometry& geometry,
               std::span<const CoefficientPlanes> components, ByteSink& sink)
      : recipe_(recipe),
        geometry_(geometry),
        components_(components),
        state_(geometry, components),
        out_(sink) {}

  absl::Status Write() {
    WriteStart(out_);
    for (size_t i = 0; i < recipe_.segments.size(); ++i) {
      RecipeSegment& segment = recipe_.segments[i];
      if (segment.code == marker::kDht) RETURN_IF_ERROR(ResolveTables(i));
      WriteMarker(segment, out_);
      state_.Apply(segment);
      if (segment.code == marker::kSos) RETURN_IF_ERROR(WriteEntropy(segment));
      if (out_.failed()) break;
    }
    out_.WriteBytes(recipe_.tail);
    if (!out_.Flush()) return Corrupt("the file is longer than it was, or differs from what it was");
    return absl::OkStatus();
  }

 private:
  absl::Status WriteEntropy(const RecipeSegment& scan) {
    const std::optional<ScanPlan> plan = state_.Plan(scan);
    ScanTables codes;
    if (!plan || !state_.CodesFor(*plan, codes)) return Corrupt("a scan's header or tables make no sense");
    ListedDetails details(scan.exceptions);
    if (!WriteScan(*plan, codes, details, out_) || !details.complete())
      return Corrupt("a scan's coefficients cannot be coded as its envelope says");
    out_.WriteBytes(scan.exceptions.tail);
    return absl::OkStatus();
  }

  /// Makes the tables of DHT segment `i` that are the optimal ones of the next scan.
  absl::Status ResolveTables(size_t i) {
    for (RecipeTable& table : recipe_.segments[i].tables) {
      if (table.source != TableSource::kOptimal) continue;
      if (!statistics_ || i > statistics_of_) RETURN_IF_ERROR(CountNextScan(i));
      const std::optional<HuffmanTable> optimal =
          OptimalHuffmanTable(SymbolCountsOf(*statistics_, table.is_ac() ? 1 : 0, table.slot()));
      if (!optimal) return Corrupt("a Huffman table is that of a scan which does not use it");
      table.table = *optimal;
    }
    return absl::OkStatus();
  }

  absl::Status CountNextScan(size_t i) {
    CodingState state(geometry_, components_);
    for (size_t j = 0; j < recipe_.segments.size(); ++j) {
      const RecipeSegment& segment = recipe_.segments[j];
      // Symbols do not depend on tables, and those to come may not be known yet.
      if (segment.code != marker::kDht) state.Apply(segment);
      if (j < i || segment.code != marker::kSos) continue;
      const std::optional<ScanPlan> plan = state.Plan(segment);
      if (!plan) break;
      statistics_ = std::make_unique<ScanStatistics>();
      statistics_of_ = j;
      ListedDetails details(segment.exceptions);
      CountSymbols(*plan, details, *statistics_);
      return absl::OkStatus();
    }
    return Corrupt("a Huffman table is that of a scan which is not there");
  }

  JpegRecipe& recipe_;
  const ImageGeometry& geometry_;
  std::span<const CoefficientPlanes> components_;
  CodingState state_;
  BitWriter out_;
  std::unique_ptr<ScanStatistics> statistics_;  // of the scan at segment statistics_of_
  size_t statistics_of_ = 0;
};

}  // namespace

absl::Status WriteJpeg(Bytes envelope, const ImageGeometry& geometry,
                       std::span<const CoefficientPlanes> components, ByteSink& sink) {
  if (!AreConsistent(geometry, components))
    return Corrupt("the image's size, components and coefficients do not go together");
  ASSIGN_OR_RETURN(JpegRecipe recipe, ParseEnvelope(envelope, geometry));
  return RecipeWriter(recipe, geometry, components, sink).Write();
}

absl::StatusOr<std::string> WriteJpeg(Bytes envelope, const ImageGeometry& geometry,
                                      std::span<const CoefficientPlanes> components, size_t file_bytes_max) {
  StringSink sink(file_bytes_max);
  RETURN_IF_ERROR(WriteJpeg(envelope, geometry, components, sink));
  return sink.Take();
}

}  // namespace freqstore
