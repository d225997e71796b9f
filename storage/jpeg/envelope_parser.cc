#include <optional>

#include "fmt/format.h"
#include "storage/base/status.h"
#include "storage/base/varint.h"
#include "storage/jpeg/envelope_constants.h"
#include "storage/jpeg/envelope_format.h"
#include "storage/jpeg/marker_abbreviation.h"
#include "storage/jpeg/usual_coding.h"

namespace freqstore {
namespace {

using namespace envelope;

/// Reads are of the form `if (!Read...) return false`: a reader that ran dry or met nonsense stops
/// everything.
class EnvelopeReader {
 public:
  EnvelopeReader(Bytes envelope, const ImageGeometry& geometry) : reader_(envelope), geometry_(geometry) {}

  bool Read(JpegRecipe& recipe) {
    uint8_t version = 0;
    if (!Byte(version) || version != kVersion) return false;
    while (recipe.segments.size() < kEnvelopeSegmentsMax) {
      uint8_t tag = 0;
      if (!Byte(tag)) return false;
      if (tag == kEnd) {
        recipe.tail = reader_.rest();
        return true;
      }
      RecipeSegment segment;
      if ((tag & kGapFlag) != 0 && !ReadBytes(segment.gap)) return false;
      if (!ReadSegment(tag, segment, recipe.storage)) return false;
      context_.Add(segment);
      if (context_.scans > kEnvelopeScansMax) return false;
      recipe.segments.push_back(std::move(segment));
      if ((tag & kKindMask) == kEoiAndEnd) {
        recipe.tail = reader_.rest();
        return true;
      }
    }
    return false;
  }

 private:
  bool ReadSegment(uint8_t tag, RecipeSegment& segment, std::deque<std::string>& storage) {
    const auto keep = [&](std::optional<std::string> payload) {
      if (payload) segment.payload = AsBytes(storage.emplace_back(std::move(*payload)));
      return payload.has_value();
    };
    segment.has_length = true;
    switch (tag & kKindMask) {
      case kEoiAndEnd:
        segment.has_length = false;
        segment.code = marker::kEoi;
        return true;
      case kVerbatim:
        return Byte(segment.code) && IsFreeCode(segment.code) && ReadBytes(segment.payload);
      case kBare:
        segment.has_length = false;
        return Byte(segment.code) && segment.code != marker::kEoi && segment.code != marker::kSos;
      case kJfif:
        segment.code = marker::kApp0;
        return keep(ExpandJfif(tag, reader_));
      case kQuantisers:
        segment.code = marker::kDqt;
        return keep(ExpandQuantisers(reader_, geometry_));
      case kHuffman:
        segment.code = marker::kDht;
        return ReadHuffmanTables(segment);
      case kFrame:
        return Byte(segment.code) && IsFrameMarker(segment.code) &&
               keep(ExpandFrame(tag, reader_, geometry_));
      case kScan:
        segment.code = marker::kSos;
        if ((tag & kScanUsual) != 0) {
          if (!keep(UsualScan(geometry_, context_.ids, context_.progressive, context_.scans))) return false;
        } else if (!ReadBytes(segment.payload)) {
          return false;
        }
        return (tag & kScanExceptions) == 0 || ReadExceptions(segment.exceptions);
      default:
        return false;
    }
  }

  /// Markers whose payload has a form of its own.
  static bool IsFreeCode(uint8_t code) {
    return code != marker::kDht && code != marker::kSos && code != marker::kEoi;
  }

  bool ReadHuffmanTables(RecipeSegment& segment) {
    uint64_t count = 0;
    if (!Number(count) || count > reader_.remaining()) return false;
    for (uint64_t i = 0; i < count; ++i) {
      RecipeTable table;
      uint8_t head = 0;
      if (!Byte(head) || head >> 4 > static_cast<int>(TableSource::kListed) || (head & 8) != 0) return false;
      table.source = static_cast<TableSource>(head >> 4);
      table.target = static_cast<uint8_t>((head & 4) << 2 | (head & 3));
      if (table.source == TableSource::kListed) {
        const std::optional<HuffmanTable> listed = ReadHuffmanTable(reader_);
        if (!listed) return false;
        table.table = *listed;
      } else if (table.source != TableSource::kOptimal) {
        table.table = StandardHuffmanTable(static_cast<StandardTable>(table.source));
      }
      segment.tables.push_back(table);
    }
    return true;
  }

  bool ReadExceptions(ScanExceptions& exceptions) {
    uint8_t flags = 0;
    if (!Byte(flags) || (flags & ~kExceptionFlags) != 0) return false;
    const uint8_t padding_bits = flags & kPaddingBitsMask;
    if (padding_bits > static_cast<uint8_t>(PaddingBits::kListed)) return false;
    exceptions.padding_bits = static_cast<PaddingBits>(padding_bits);
    if (exceptions.padding_bits == PaddingBits::kListed) {
      Bytes bits;
      if (!ReadBytes(bits)) return false;
      exceptions.listed_bits.assign(bits.begin(), bits.end());
    }
    if ((flags & kPaddingBlocksFlag) != 0 && !ReadPaddingBlocks(exceptions.padding_blocks)) return false;
    if ((flags & kRunBreaksFlag) != 0 && !ReadRunBreaks(exceptions.run_breaks)) return false;
    if ((flags & kRestartsFlag) != 0 && !ReadRestarts(exceptions.restarts)) return false;
    return (flags & kTailFlag) == 0 || ReadBytes(exceptions.tail);
  }

  bool ReadPaddingBlocks(std::vector<PaddingBlock>& blocks) {
    uint64_t count = 0;
    if (!Number(count) || count > reader_.remaining()) return false;
    uint64_t next = 0;
    for (uint64_t i = 0; i < count; ++i) {
      PaddingBlock block;
      uint64_t values = 0;
      if (!ReadOrdinal(next, block.ordinal) || !Number(values) || values > kFrequencies) return false;
      unsigned expected = 0;
      for (uint64_t v = 0; v < values; ++v) {
        PaddingBlock::Value value;
        if (!ReadPaddingValue(expected, value)) return false;
        expected = value.zigzag + 1u;
        block.values.push_back(value);
      }
      blocks.push_back(std::move(block));
    }
    return true;
  }

  /// `expected` is the lowest index that the value may have.
  bool ReadPaddingValue(unsigned expected, PaddingBlock::Value& value) {
    uint8_t head = 0;
    if (!Byte(head)) return false;
    value.zigzag = static_cast<uint8_t>(expected + (head >> 4));
    if (head >> 4 == kPaddingSkipEscape && !Byte(value.zigzag)) return false;
    if (value.zigzag < expected || value.zigzag >= kFrequencies) return false;
    const unsigned small = head & 15u;
    value.value = static_cast<int32_t>(small) - static_cast<int32_t>(kPaddingValueBias);
    if (small != kPaddingValueEscape) return true;
    uint64_t coded = 0;
    if (!Number(coded) || coded >= kPaddingValueMax) return false;
    const auto magnitude = static_cast<int32_t>(coded >> 1);
    value.value = (coded & 1) != 0 ? -magnitude : magnitude;
    return true;
  }

  bool ReadRunBreaks(std::vector<RunBreak>& runs) {
    uint64_t count = 0;
    if (!Number(count) || count > reader_.remaining()) return false;
    uint64_t next = 0;
    for (uint64_t i = 0; i < count; ++i) {
      RunBreak run;
      uint64_t blocks = 0;
      if (!ReadOrdinal(next, run.ordinal) || !Number(blocks) || blocks < 1 ||
          blocks > ScanDetails::kRunBlocksMax)
        return false;
      run.blocks = static_cast<uint32_t>(blocks);
      runs.push_back(run);
    }
    return true;
  }

  bool ReadRestarts(std::vector<RestartException>& tails) {
    uint64_t count = 0;
    if (!Number(count) || count > reader_.remaining()) return false;
    uint64_t next = 0;
    for (uint64_t i = 0; i < count; ++i) {
      RestartException tail;
      if (!ReadOrdinal(next, tail.ordinal) || !ReadBytes(tail.bytes)) return false;
      tails.push_back(tail);
    }
    return true;
  }

  /// An ordinal as its distance from `next`, the lowest that it may be.
  bool ReadOrdinal(uint64_t& next, uint64_t& ordinal) {
    uint64_t skipped = 0;
    if (!Number(skipped) || skipped > kOrdinalMax) return false;
    ordinal = next + skipped;
    next = ordinal + 1;
    return true;
  }

  bool ReadBytes(Bytes& bytes) {
    uint64_t count = 0;
    if (!Number(count) || count > reader_.remaining()) return false;
    bytes = *reader_.ReadBytes(static_cast<size_t>(count));
    return true;
  }

  bool Byte(uint8_t& byte) {
    const std::optional<uint8_t> read = reader_.ReadLittleEndian<uint8_t>();
    byte = read.value_or(0);
    return read.has_value();
  }

  bool Number(uint64_t& value) {
    const std::optional<uint64_t> read = ReadVarint(reader_);
    value = read.value_or(0);
    return read.has_value();
  }

  static constexpr uint64_t kOrdinalMax = uint64_t{1} << 40;

  ByteReader reader_;
  const ImageGeometry& geometry_;
  ExpansionContext context_;
};

}  // namespace

absl::StatusOr<JpegRecipe> ParseEnvelope(Bytes envelope, const ImageGeometry& geometry) {
  absl::StatusOr<JpegRecipe> recipe(absl::in_place);
  if (EnvelopeReader(envelope, geometry).Read(*recipe)) return recipe;
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_ENVELOPE",
                   fmt::format("the envelope of {} bytes is not well formed", envelope.size()));
}

}  // namespace freqstore
