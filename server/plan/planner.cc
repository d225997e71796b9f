#include "server/plan/planner.h"

#include <algorithm>
#include <map>
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

using Selection = std::map<size_t, std::vector<uint32_t>>;  // ordinals by part

Selection Select(const DatasetSnapshot& snapshot, std::span<const std::string> image_ids, QueryPlan& plan) {
  Selection selection;
  for (const std::string& id : image_ids) {
    const auto position = snapshot.Find(id);
    if (position.ok()) {
      selection[position->part].push_back(position->ordinal);
    } else {
      plan.failed.push_back({id, position.status()});
    }
  }
  for (auto& [part, ordinals] : selection) {
    std::sort(ordinals.begin(), ordinals.end());
    ordinals.erase(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
  }
  return selection;
}

class Builder {
 public:
  explicit Builder(QueryPlan& plan) : plan_(plan) {}

  /// `ordinals` null means all.
  void AddPart(size_t index, const std::vector<uint32_t>* ordinals) {
    const Part& part = plan_.snapshot->parts()[index];
    PlannedPart planned;
    planned.part = index;
    absl::StatusOr<ImageRows> rows = plan_.snapshot->ReadRows(part);
    if (!rows.ok()) {
      planned.status = rows.status();
      plan_.parts.push_back(std::move(planned));
      return;
    }
    const size_t count = ordinals != nullptr ? ordinals->size() : (*rows)->size();
    for (size_t i = 0; i < count; ++i) {
      const size_t ordinal = ordinals != nullptr ? (*ordinals)[i] : i;
      AddImage((**rows)[ordinal], ordinal, planned);
    }
    planned.columns = plan_.snapshot->Close(part, planned.columns);
    AddColumns(part, planned.columns);
    plan_.parts.push_back(std::move(planned));
  }

  void Finish() {
    for (auto& [column, bytes] : column_bytes_) plan_.columns.emplace_back(column, bytes);
    std::stable_sort(plan_.cuts.begin(), plan_.cuts.end(),
                     [](const CutGroup& a, const CutGroup& b) { return a.images > b.images; });
  }

 private:
  void AddImage(const ImageRecord& image, size_t ordinal, PlannedPart& planned) {
    const PlannedCut cut = CutFor(plan_.output, image.geometry);
    planned.requests.push_back({ordinal, cut.cut});
    planned.columns |= cut.cut.columns();
    ++plan_.images;
    plan_.file_bytes += image.file_bytes;
    const uint64_t values = ValuesOf(image.geometry, cut.cut);
    plan_.work.values += values;
    plan_.work.render_units += RenderUnits(plan_.output, image.geometry, values);
    plan_.work.result_bytes += ResultBytes(plan_.output, image, cut.cut);
    const auto group = std::find_if(plan_.cuts.begin(), plan_.cuts.end(), [&](const CutGroup& other) {
      return other.cover == cut.cover && other.cut == cut.cut;
    });
    if (group != plan_.cuts.end()) {
      ++group->images;
    } else {
      plan_.cuts.push_back({cut.cover, cut.cut, 1});
    }
  }

  void AddColumns(const Part& part, const ColumnSet& columns) {
    const uint64_t bytes = plan_.snapshot->ColumnBytes(part, columns);
    plan_.work.bytes += bytes;
    if (part.in_delta()) {
      ++plan_.delta_images;
      plan_.stored_bytes += bytes;
      plan_.estimated.delta_bytes += bytes;
      return;
    }
    ++plan_.segments;
    plan_.estimated.column_bytes += bytes;
    for (const storage::v1::ColumnMeta& column : part.segment->columns()) {
      plan_.stored_bytes += column.bytes();
      const ColumnId id{static_cast<uint8_t>(column.component()), static_cast<uint16_t>(column.frequency())};
      if (columns.Contains(id)) column_bytes_[id] += column.bytes();
    }
  }

  QueryPlan& plan_;
  std::map<ColumnId, uint64_t> column_bytes_;
};

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

absl::StatusOr<QueryPlan> PlanQuery(std::shared_ptr<const DatasetSnapshot> snapshot, QueryOutput output,
                                    std::span<const std::string> image_ids, const CostModel& costs,
                                    size_t workers) {
  QueryPlan plan;
  plan.snapshot = std::move(snapshot);
  plan.output = std::move(output);
  Builder builder(plan);
  if (image_ids.empty()) {
    for (size_t part = 0; part < plan.snapshot->parts().size(); ++part) builder.AddPart(part, nullptr);
  } else {
    for (const auto& [part, ordinals] : Select(*plan.snapshot, image_ids, plan))
      builder.AddPart(part, &ordinals);
  }
  builder.Finish();
  plan.estimated.rows = plan.images;
  plan.estimated.result_bytes = plan.work.result_bytes;
  const auto* input = std::get_if<ModelInput>(&plan.output);
  if (input != nullptr) plan.work.model_images = plan.images;
  costs.Estimate(plan.work, input != nullptr ? input->seconds_per_image : 0.0, workers, plan.estimated);
  return plan;
}

}  // namespace freqstore
