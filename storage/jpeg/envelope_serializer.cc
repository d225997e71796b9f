#include <algorithm>
#include <cstdlib>

#include "storage/base/varint.h"
#include "storage/jpeg/envelope_constants.h"
#include "storage/jpeg/envelope_format.h"
#include "storage/jpeg/marker_abbreviation.h"
#include "storage/jpeg/usual_coding.h"

namespace freqstore {
namespace {

using namespace envelope;

class EnvelopeWriter {
 public:
  explicit EnvelopeWriter(const ImageGeometry& geometry) : geometry_(geometry) {
    out_.push_back(static_cast<char>(kVersion));
  }

  std::string Write(const JpegRecipe& recipe) {
    for (const RecipeSegment& segment : recipe.segments) {
      AddSegment(segment);
      context_.Add(segment);
    }
    const bool has_eoi = !recipe.segments.empty() && recipe.segments.back().code == marker::kEoi;
    if (!has_eoi) Byte(kEnd);
    out_ += AsString(recipe.tail);
    return std::move(out_);
  }

 private:
  void AddSegment(const RecipeSegment& segment) {
    if (segment.code == marker::kEoi) return Tag(segment, kEoiAndEnd);
    if (!segment.has_length && segment.code != marker::kSos) {
      Tag(segment, kBare);
      return Byte(segment.code);
    }
    if (segment.code == marker::kDht) return AddHuffmanTables(segment);
    if (segment.code == marker::kSos) return AddScan(segment);
    if (segment.code == marker::kApp0) {
      if (const auto jfif = AbbreviateJfif(segment.payload)) return AddAbbreviation(segment, kJfif, *jfif);
    } else if (segment.code == marker::kDqt) {
      if (const auto steps = AbbreviateQuantisers(segment.payload, geometry_))
        return AddAbbreviation(segment, kQuantisers, *steps);
    } else if (IsFrameMarker(segment.code)) {
      if (auto frame = AbbreviateFrame(segment.payload, geometry_)) {
        frame->bytes.insert(frame->bytes.begin(), static_cast<char>(segment.code));
        return AddAbbreviation(segment, kFrame, *frame);
      }
    }
    Tag(segment, kVerbatim);
    Byte(segment.code);
    AddBytes(segment.payload);
  }

  void Tag(const RecipeSegment& segment, Kind kind, uint8_t flags = 0) {
    Byte(kind | flags | (segment.gap.empty() ? 0 : kGapFlag));
    if (!segment.gap.empty()) AddBytes(segment.gap);
  }

  void AddAbbreviation(const RecipeSegment& segment, Kind kind, const Abbreviation& abbreviation) {
    Tag(segment, kind, abbreviation.flags);
    out_ += abbreviation.bytes;
  }

  void AddHuffmanTables(const RecipeSegment& segment) {
    Tag(segment, kHuffman);
    Number(segment.tables.size());
    for (const RecipeTable& table : segment.tables) {
      Byte(static_cast<unsigned>(table.source) << 4 | (table.is_ac() ? 4u : 0u) |
           static_cast<unsigned>(table.slot()));
      if (table.source != TableSource::kListed) continue;
      out_ += AsString(table.table.counts);
      out_ += AsString(Bytes(table.table.symbols).first(table.table.size()));
    }
  }

  void AddScan(const RecipeSegment& segment) {
    const bool usual =
        UsualScan(geometry_, context_.ids, context_.progressive, context_.scans) == AsString(segment.payload);
    const ScanExceptions& exceptions = segment.exceptions;
    Tag(segment, kScan,
        static_cast<uint8_t>((usual ? kScanUsual : 0) | (exceptions.none() ? 0 : kScanExceptions)));
    if (!usual) AddBytes(segment.payload);
    if (!exceptions.none()) AddExceptions(exceptions);
  }

  void AddExceptions(const ScanExceptions& exceptions) {
    Byte(static_cast<unsigned>(exceptions.padding_bits) |
         (exceptions.padding_blocks.empty() ? 0u : kPaddingBlocksFlag) |
         (exceptions.run_breaks.empty() ? 0u : kRunBreaksFlag) |
         (exceptions.restarts.empty() ? 0u : kRestartsFlag) | (exceptions.tail.empty() ? 0u : kTailFlag));
    if (exceptions.padding_bits == PaddingBits::kListed) AddBytes(exceptions.listed_bits);
    if (!exceptions.padding_blocks.empty()) AddPaddingBlocks(exceptions.padding_blocks);
    if (!exceptions.run_breaks.empty()) {
      Number(exceptions.run_breaks.size());
      uint64_t next = 0;
      for (const RunBreak& run : exceptions.run_breaks) {
        Number(run.ordinal - next);
        Number(run.blocks);
        next = run.ordinal + 1;
      }
    }
    if (!exceptions.restarts.empty()) {
      Number(exceptions.restarts.size());
      uint64_t next = 0;
      for (const RestartException& interval : exceptions.restarts) {
        Number(interval.ordinal - next);
        AddBytes(interval.bytes);
        next = interval.ordinal + 1;
      }
    }
    if (!exceptions.tail.empty()) AddBytes(exceptions.tail);
  }

  void AddPaddingBlocks(const std::vector<PaddingBlock>& blocks) {
    Number(blocks.size());
    uint64_t next = 0;
    for (const PaddingBlock& block : blocks) {
      Number(block.ordinal - next);
      Number(block.values.size());
      unsigned expected = 0;
      for (const PaddingBlock::Value& value : block.values) {
        AddPaddingValue(value.zigzag - expected, value);
        expected = value.zigzag + 1u;
      }
      next = block.ordinal + 1;
    }
  }

  void AddPaddingValue(unsigned skipped, const PaddingBlock::Value& value) {
    const unsigned skip = std::min(skipped, kPaddingSkipEscape);
    const bool small = std::abs(value.value) < static_cast<int>(kPaddingValueBias);
    Byte(skip << 4 | (small ? static_cast<unsigned>(value.value + static_cast<int>(kPaddingValueBias))
                            : kPaddingValueEscape));
    if (skip == kPaddingSkipEscape) Byte(value.zigzag);
    if (!small) Number(static_cast<uint64_t>(std::abs(value.value)) << 1 | (value.value < 0 ? 1u : 0u));
  }

  void AddBytes(Bytes bytes) {
    Number(bytes.size());
    out_ += AsString(bytes);
  }
  void Byte(unsigned byte) { out_.push_back(static_cast<char>(byte)); }
  void Number(uint64_t value) { AppendVarint(out_, value); }

  const ImageGeometry& geometry_;
  ExpansionContext context_;
  std::string out_;
};

}  // namespace

std::string SerializeEnvelope(const JpegRecipe& recipe, const ImageGeometry& geometry) {
  return EnvelopeWriter(geometry).Write(recipe);
}

}  // namespace freqstore
