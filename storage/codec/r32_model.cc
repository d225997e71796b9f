#include "storage/codec/r32_model.h"

#include <cassert>
#include <optional>

#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr uint8_t kOriginMask = 3;
constexpr uint8_t kMarksGroups = 4;
constexpr uint8_t kFlagsKnown = kOriginMask | kMarksGroups;
constexpr uint8_t kWeightMax = 127;
constexpr uint8_t kShiftMax = 15;
constexpr int kGradientReach = 3;  ///< u + v up to which DC's changes may be referred to

absl::Status Corrupt(std::string_view message) {
  return MakeError(absl::StatusCode::kDataLoss, "CORRUPT_CHUNK", message);
}

absl::Status CutOff() {
  return Corrupt("r32: the model is cut off");
}

// Frequencies are 1..2 bytes: seven bits, and the rest if the first byte's high bit is set.
void AppendFrequency(uint16_t frequency, std::string& out) {
  if (frequency < 0x80) {
    AppendLittleEndian(out, static_cast<uint8_t>(frequency));
    return;
  }
  AppendLittleEndian(out, static_cast<uint8_t>(0x80 | (frequency & 0x7f)));
  AppendLittleEndian(out, static_cast<uint8_t>(frequency >> 7));
}

std::optional<uint16_t> ReadFrequency(ByteReader& reader) {
  const auto low = reader.ReadLittleEndian<uint8_t>();
  if (!low || *low < 0x80) return low;
  const auto high = reader.ReadLittleEndian<uint8_t>();
  if (!high || *high == 0) return std::nullopt;
  return static_cast<uint16_t>((*low & 0x7f) | *high << 7);
}

void AppendContexts(const R32Contexts& contexts, std::string& out) {
  AppendLittleEndian(out, contexts.shift);
  AppendLittleEndian(out, contexts.count);
  for (size_t i = 0; i + 1 < contexts.count; ++i) AppendLittleEndian(out, contexts.thresholds[i]);
}

absl::StatusOr<R32Contexts> ReadContexts(ByteReader& reader) {
  const auto shift = reader.ReadLittleEndian<uint8_t>();
  const auto count = reader.ReadLittleEndian<uint8_t>();
  if (!shift || !count) return CutOff();
  if (*shift > kShiftMax || *count == 0 || *count > kR32ContextsMax)
    return Corrupt("r32: a shift or a number of contexts is out of range");
  R32Contexts contexts{.shift = *shift, .count = *count, .thresholds = {}};
  uint8_t below = 0;
  for (size_t i = 0; i + 1 < *count; ++i) {
    const auto threshold = reader.ReadLittleEndian<uint8_t>();
    if (!threshold) return CutOff();
    if (*threshold <= below || *threshold > kR32ActivityMax) return Corrupt("r32: thresholds do not ascend");
    contexts.thresholds[i] = below = *threshold;
  }
  return contexts;
}

absl::Status ReadTable(ByteReader& reader, size_t tokens, uint16_t* table) {
  const auto used = reader.ReadLittleEndian<uint8_t>();
  if (!used) return CutOff();
  if (*used > tokens) return Corrupt("r32: a table has more tokens than the alphabet");
  uint32_t sum = 0;
  for (size_t token = 0; token < *used; ++token) {
    const auto frequency = ReadFrequency(reader);
    if (!frequency) return CutOff();
    if (*frequency >= kR32ProbabilityScale) return Corrupt("r32: a frequency is out of range");
    table[token] = *frequency;
    sum += *frequency;
  }
  if (sum != kR32ProbabilityScale) return Corrupt("r32: the frequencies of a context do not add up");
  return absl::OkStatus();
}

absl::Status CheckReference(ColumnId column, const R32Reference& reference) {
  bool allowed = false;
  switch (reference.kind) {
    case R32Reference::Kind::kFrequency:
      allowed = reference.frequency > 0 && reference.frequency < column.frequency;
      break;
    case R32Reference::Kind::kHorizontal:
    case R32Reference::Kind::kVertical:
      allowed = reference.frequency == 0 &&
                HorizontalFrequency(column.frequency) + VerticalFrequency(column.frequency) <= kGradientReach;
      break;
    case R32Reference::Kind::kComponent:
      allowed = reference.frequency == 0 && column.component > 0;
      break;
  }
  if (!allowed || column.frequency == 0 || reference.weight > kWeightMax)
    return Corrupt("r32: the column cannot refer to that");
  return absl::OkStatus();
}

absl::Status ReadGroupModel(ByteReader& reader, R32Model& model) {
  ASSIGN_OR_RETURN(model.groups, ReadContexts(reader));
  for (size_t context = 0; context < model.groups.count; ++context) {
    const auto occupied = reader.ReadLittleEndian<uint16_t>();
    if (!occupied) return CutOff();
    if (*occupied == 0 || *occupied >= kR32ProbabilityScale)
      return Corrupt("r32: the frequency of occupied groups is out of range");
    model.occupied[context] = *occupied;
  }
  return absl::OkStatus();
}

}  // namespace

uint8_t R32Contexts::Of(uint32_t activity) const {
  uint8_t context = 0;
  while (context + 1 < count && activity >= thresholds[context]) ++context;
  return context;
}

bool R32Model::narrow() const {
  return tokens <= kR32NarrowTokensMax;
}

std::span<const R32Reference> R32Model::used_references() const {
  return {references, reference_count};
}

ColumnSet R32ContextColumns(ColumnId column, const R32Model& model) {
  ColumnSet columns;
  for (const R32Reference& reference : model.used_references()) {
    switch (reference.kind) {
      case R32Reference::Kind::kFrequency:
        columns.Insert({column.component, reference.frequency});
        break;
      case R32Reference::Kind::kHorizontal:
      case R32Reference::Kind::kVertical:
        columns.Insert({column.component, 0});
        break;
      case R32Reference::Kind::kComponent:
        columns.Insert({static_cast<uint8_t>(column.component - 1), column.frequency});
        break;
    }
  }
  return columns;
}

std::string SerializeR32Model(const R32Model& model) {
  std::string out;
  AppendLittleEndian(out, model.tokens);
  AppendLittleEndian(out, static_cast<uint8_t>(static_cast<uint8_t>(model.origin) |
                                               (model.marks_groups ? kMarksGroups : 0)));
  AppendLittleEndian(out, model.reference_count);
  for (const R32Reference& reference : model.used_references()) {
    AppendLittleEndian(out,
                       static_cast<uint8_t>(static_cast<uint8_t>(reference.kind) << 6 | reference.frequency));
    AppendLittleEndian(out, reference.weight);
  }
  AppendContexts(model.values, out);
  for (size_t context = 0; context < model.values.count; ++context) {
    const uint16_t* const table = model.tables[context];
    uint8_t used = model.tokens;
    while (used > 0 && table[used - 1u] == 0) --used;
    AppendLittleEndian(out, used);
    for (size_t token = 0; token < used; ++token) AppendFrequency(table[token], out);
  }
  if (!model.marks_groups) return out;
  AppendContexts(model.groups, out);
  for (size_t context = 0; context < model.groups.count; ++context)
    AppendLittleEndian(out, model.occupied[context]);
  return out;
}

absl::StatusOr<R32Model> ParseR32Model(ColumnId column, Bytes bytes) {
  ByteReader reader(bytes);
  const auto tokens = reader.ReadLittleEndian<uint8_t>();
  const auto flags = reader.ReadLittleEndian<uint8_t>();
  const auto references = reader.ReadLittleEndian<uint8_t>();
  if (!tokens || !flags || !references) return CutOff();
  if (*tokens < 2 || *tokens > kR32TokensMax || (*flags & ~kFlagsKnown) != 0 ||
      (*flags & kOriginMask) > static_cast<uint8_t>(R32WeightOrigin::kSegment) ||
      *references > kR32ReferencesMax) {
    return Corrupt("r32: the head of the model is out of range");
  }
  if (column.frequency == 0 && *tokens <= kR32NarrowTokensMax) return Corrupt("r32: DC is never narrow");
  R32Model model;
  model.tokens = *tokens;
  model.origin = static_cast<R32WeightOrigin>(*flags & kOriginMask);
  model.marks_groups = (*flags & kMarksGroups) != 0;
  model.reference_count = *references;
  for (size_t r = 0; r < *references; ++r) {
    const auto plane = reader.ReadLittleEndian<uint8_t>();
    const auto weight = reader.ReadLittleEndian<uint8_t>();
    if (!plane || !weight) return CutOff();
    model.references[r] = {static_cast<R32Reference::Kind>(*plane >> 6), static_cast<uint8_t>(*plane & 63),
                           *weight};
    RETURN_IF_ERROR(CheckReference(column, model.references[r]));
  }
  ASSIGN_OR_RETURN(model.values, ReadContexts(reader));
  for (size_t context = 0; context < model.values.count; ++context)
    RETURN_IF_ERROR(ReadTable(reader, *tokens, model.tables[context]));
  if (model.marks_groups) {
    if (column.frequency == 0) return Corrupt("r32: DC does not mark groups");
    RETURN_IF_ERROR(ReadGroupModel(reader, model));
  }
  if (reader.remaining() != 0) return Corrupt("r32: bytes follow the model");
  return model;
}

}  // namespace freqstore
