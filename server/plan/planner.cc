#include "server/plan/planner.h"

#include <utility>

#include "storage/base/status.h"

namespace freqstore {
namespace {

template <typename... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

PlannedCut CutFor(const QueryOutput& output, const ImageGeometry& geometry) {
  return std::visit(
      Overloaded{
          [&](const ModelInput& input) { return CutForModel(geometry, input.render, input.fidelity); },
          [&](const ReducedPixels& pixels) {
            return PlannedCut{0, CutForScale(geometry, pixels.k)};
          },
          [&](const LowCoefficients& low) {
            return PlannedCut{0, SquareCut(geometry, low.side)};
          },
      },
      output);
}

uint64_t CeilScaled(uint64_t size, int k) {
  return (size * static_cast<uint64_t>(k) + 7) / 8;
}

uint64_t ValuesOf(const ImageGeometry& geometry, const ImageCut& cut) {
  uint64_t values = 0;
  for (size_t c = 0; c < geometry.components.size(); ++c) {
    values +=
        geometry.components[c].grid.blocks() * static_cast<uint64_t>(cut.components[c].frequencies().size());
  }
  return values;
}

uint64_t RenderUnits(const QueryOutput& output, const ImageGeometry& geometry, uint64_t values) {
  return std::visit(
      Overloaded{
          [&](const ModelInput& input) {
            return values + 3 * uint64_t{input.render.resize.width} * input.render.resize.height;
          },
          [&](const ReducedPixels& pixels) {
            return values + 3 * CeilScaled(geometry.width, pixels.k) * CeilScaled(geometry.height, pixels.k);
          },
          [](const LowCoefficients&) { return uint64_t{0}; },
      },
      output);
}

void AddImage(const QueryPlan& plan, const ImageRecord& image, size_t ordinal, PlannedPart& planned) {
  const PlannedCut cut = CutFor(plan.output, image.geometry);
  planned.requests.push_back({ordinal, cut.cut});
  planned.covers.push_back(cut.cover);
  planned.columns |= cut.cut.columns();
  const uint64_t values = ValuesOf(image.geometry, cut.cut);
  planned.work.values += values;
  planned.work.render_units += RenderUnits(plan.output, image.geometry, values);
  planned.work.result_bytes += ResultBytes(plan.output, image, cut.cut);
  if (std::holds_alternative<ModelInput>(plan.output)) ++planned.work.model_images;
}

}  // namespace

uint64_t ResultBytes(const QueryOutput& output, const ImageRecord& image, const ImageCut& cut) {
  return std::visit(
      Overloaded{
          [&](const ModelInput& input) { return input.result_bytes_per_image + image.image_id.size(); },
          [&](const ReducedPixels& pixels) {
            return 3 * CeilScaled(image.geometry.width, pixels.k) *
                   CeilScaled(image.geometry.height, pixels.k);
          },
          [&](const LowCoefficients&) { return sizeof(int16_t) * ValuesOf(image.geometry, cut); },
      },
      output);
}

PlannedPart PlanPart(const QueryPlan& plan, size_t index) {
  const PartRows& selected = plan.selection.parts[index];
  const Part& part = plan.snapshot->parts()[selected.part];
  PlannedPart planned;
  planned.part = selected.part;
  absl::StatusOr<ImageRows> rows = plan.snapshot->ReadRows(part);
  planned.status = rows.ok() ? selected.status : rows.status();
  if (!rows.ok()) return planned;
  planned.rows = *std::move(rows);
  selected.rows.ForEach([&](size_t ordinal) { AddImage(plan, (*planned.rows)[ordinal], ordinal, planned); });
  planned.columns = plan.snapshot->Close(part, planned.columns);
  planned.column_bytes = plan.snapshot->ColumnBytes(part, planned.columns);
  planned.work.bytes = planned.column_bytes;
  return planned;
}

}  // namespace freqstore
