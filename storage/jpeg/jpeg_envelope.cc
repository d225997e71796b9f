#include "storage/jpeg/jpeg_envelope.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "storage/jpeg/coding_state.h"
#include "storage/jpeg/envelope_format.h"
#include "storage/jpeg/marker_writer.h"

namespace freqstore {
namespace {

/// Writes a file as its recipe takes shape, and compares.
class RecipeMaker {
 public:
  RecipeMaker(const JpegFile& parsed, const JpegImage& image)
      : parsed_(parsed), state_(image.geometry, image.components) {}

  /// False if what is written differs from the file.
  bool Make(JpegRecipe& recipe) {
    recipe.segments.reserve(parsed_.segments.size());
    for (const JpegSegment& source : parsed_.segments) {
      RecipeSegment& segment = recipe.segments.emplace_back();
      if (!TakeMarker(source, segment)) return false;
      state_.Apply(segment);
      if (source.code == marker::kSos && !TakeScan(source.entropy, recipe)) return false;
    }
    recipe.tail = parsed_.tail;
    return true;
  }

 private:
  static bool TakeMarker(const JpegSegment& source, RecipeSegment& segment) {
    segment.code = source.code;
    segment.has_length = source.has_length;
    segment.gap = source.gap;
    if (source.code != marker::kDht) {
      segment.payload = source.payload;
      return source.code != marker::kSos || source.has_length;
    }
    std::optional<std::vector<RecipeTable>> tables = ParseHuffmanTables(source.payload);
    if (!tables) return false;
    segment.tables = std::move(*tables);
    return HuffmanPayload(segment.tables) == AsString(source.payload);
  }

  bool TakeScan(Bytes entropy, JpegRecipe& recipe) {
    RecipeSegment& scan = recipe.segments.back();
    const std::optional<ScanPlan> plan = state_.Plan(scan);
    ScanTables codes;
    if (!plan || !state_.CodesFor(*plan, codes)) return false;

    auto statistics = std::make_unique<ScanStatistics>();
    ListedDetails usual(scan.exceptions);
    if (!IsScan(*plan, codes, usual, entropy, *statistics)) {
      statistics->fill(0);
      std::optional<ScanExceptions> learned = Learn(*plan, codes, entropy);
      if (!learned) return false;
      scan.exceptions = std::move(*learned);
      const Bytes coded = entropy.first(entropy.size() - scan.exceptions.tail.size());
      ListedDetails listed(scan.exceptions);
      if (!IsScan(*plan, codes, listed, coded, *statistics)) return false;
    }
    FindOptimalTables(*plan, *statistics, recipe);
    return true;
  }

  static bool IsScan(const ScanPlan& plan, const ScanTables& codes, ScanDetails& details, Bytes entropy,
                     ScanStatistics& statistics) {
    ComparingSink same(entropy);
    BitWriter writer(same);
    return WriteAndCountScan(plan, codes, details, writer, statistics) && writer.Flush() && same.complete();
  }

  std::optional<ScanExceptions> Learn(const ScanPlan& plan, const ScanTables& codes, Bytes entropy) const {
    ComparingSink same(entropy);
    BitWriter writer(same);
    const HuffmanTables tables = state_.tables();
    LearningDetails details(plan, tables, entropy, writer);
    if (!WriteScan(plan, codes, details, writer) || !writer.Flush()) return std::nullopt;
    return details.Take();
  }

  /// Marks the tables since the scan before, among the last segments, that libjpeg would have made for this
  /// one.
  static void FindOptimalTables(const ScanPlan& plan, const ScanStatistics& statistics, JpegRecipe& recipe) {
    for (size_t i = recipe.segments.size() - 1; i-- > 0 && recipe.segments[i].code != marker::kSos;) {
      for (RecipeTable& table : recipe.segments[i].tables) {
        if (table.source != TableSource::kListed || !UsesTables(plan.kind, table.is_ac())) continue;
        const SymbolCounts counts = SymbolCountsOf(statistics, table.is_ac() ? 1 : 0, table.slot());
        if (OptimalHuffmanTable(counts) == table.table) table.source = TableSource::kOptimal;
      }
    }
  }

  const JpegFile& parsed_;
  CodingState state_;
};

size_t ScansOf(const JpegFile& file) {
  return static_cast<size_t>(
      std::count_if(file.segments.begin(), file.segments.end(),
                    [](const JpegSegment& segment) { return segment.code == marker::kSos; }));
}

bool IsArithmetic(const JpegFile& file) {
  for (const JpegSegment& segment : file.segments) {
    if (IsFrameMarker(segment.code)) return segment.code > marker::kJpg;
  }
  return false;
}

}  // namespace

std::string_view KeepReasonName(KeepReason reason) {
  switch (reason) {
    case KeepReason::kNone:
      return "NONE";
    case KeepReason::kArithmeticCoding:
      return "ARITHMETIC_CODING";
    case KeepReason::kDamagedScan:
      return "DAMAGED_SCAN";
    case KeepReason::kManyScans:
      return "MANY_SCANS";
    case KeepReason::kLargeEnvelope:
      return "LARGE_ENVELOPE";
    case KeepReason::kNotRebuilt:
      return "NOT_REBUILT";
  }
  return "UNKNOWN";
}

EnvelopeResult MakeEnvelope(Bytes file, const JpegImage& image, const JpegLimits& limits) {
  const KeepReason otherwise =
      image.truncated || image.warnings > 0 ? KeepReason::kDamagedScan : KeepReason::kNotRebuilt;
  const absl::StatusOr<JpegFile> parsed = ParseJpegFile(file, limits);
  if (!parsed.ok() || !AreConsistent(image.geometry, image.components)) return {{}, otherwise};
  if (IsArithmetic(*parsed)) return {{}, KeepReason::kArithmeticCoding};
  if (ScansOf(*parsed) > kEnvelopeScansMax) return {{}, KeepReason::kManyScans};

  JpegRecipe recipe;
  if (!RecipeMaker(*parsed, image).Make(recipe)) return {{}, otherwise};
  EnvelopeResult result{SerializeEnvelope(recipe, image.geometry), KeepReason::kNone};
  if (result.envelope.size() >= file.size()) return {{}, KeepReason::kLargeEnvelope};
  const absl::StatusOr<JpegRecipe> read = ParseEnvelope(AsBytes(result.envelope), image.geometry);
  if (!read.ok() || !(*read == recipe)) return {{}, otherwise};
  return result;
}

}  // namespace freqstore
