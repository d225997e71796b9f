#include "server/rpc/query_conversion.h"

#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "server/rpc/resource_name.h"
#include "storage/base/geometry_names.h"

namespace freqstore {
namespace {

static_assert(std::endian::native == std::endian::little,
              "values are copied to the wire as they lie in memory");

template <typename T>
void AppendValues(std::span<const T> values, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

void ToProto(const CoefficientRow& row, v1::Coefficients& proto) {
  proto.set_width(row.geometry.width);
  proto.set_height(row.geometry.height);
  proto.set_color(ColorName(row.geometry.color));
  for (size_t c = 0; c < row.components.size(); ++c) {
    const ComponentGeometry& geometry = row.geometry.components[c];
    const CoefficientPlanes& planes = row.components[c];
    v1::ComponentCoefficients& component = *proto.add_components();
    component.set_h_samp(geometry.h_samp);
    component.set_v_samp(geometry.v_samp);
    component.set_width_blocks(geometry.grid.width_blocks);
    component.set_height_blocks(geometry.grid.height_blocks);
    for (int z = 0; z < kFrequencies; ++z) {
      if (!planes.frequencies().Contains(z)) continue;
      component.add_frequencies(static_cast<uint32_t>(z));
      component.add_quant(geometry.quant[static_cast<size_t>(z)]);
      AppendValues(std::span<const int16_t>(planes.Values(z)), *component.mutable_values());
    }
  }
}

void ToProto(const Fidelity& fidelity, v1::Fidelity& proto) {
  switch (fidelity.level) {
    case Fidelity::Level::kExact:
      proto.set_level(v1::Fidelity::LEVEL_EXACT);
      break;
    case Fidelity::Level::kStandard:
      proto.set_level(v1::Fidelity::LEVEL_STANDARD);
      break;
    case Fidelity::Level::kReduced:
      proto.set_level(v1::Fidelity::LEVEL_REDUCED);
      break;
    case Fidelity::Level::kLossy:
      proto.set_level(v1::Fidelity::LEVEL_LOSSY);
      proto.set_lossy_side(static_cast<uint32_t>(fidelity.lossy_side));
      break;
  }
}

}  // namespace

void ToProto(const InferQuery& query, InferRow row, v1::InferResult& proto) {
  proto.set_image_id(std::move(row.image_id));
  if (!row.status.ok()) {
    *proto.mutable_status() = ToProto(row.status);
    return;
  }
  for (const ClassScore& score : row.top) {
    v1::ClassScore& top = *proto.add_top();
    top.set_class_index(score.class_index);
    top.set_score(score.score);
    if (score.class_index < static_cast<uint32_t>(query.meta.labels_size())) {
      top.set_label(query.meta.labels(static_cast<int>(score.class_index)));
    }
  }
  if (query.options.raw_output) {
    proto.mutable_output()->mutable_shape()->Assign(row.output_shape.begin(), row.output_shape.end());
    AppendValues(std::span<const float>(row.output), *proto.mutable_output()->mutable_values());
  }
}

void ToProto(ScanRow row, v1::ScanRow& proto) {
  proto.set_image_id(std::move(row.image_id));
  if (!row.status.ok()) {
    *proto.mutable_status() = ToProto(row.status);
  } else if (const auto* image = std::get_if<RgbImage>(&row.content)) {
    proto.mutable_pixels()->set_width(image->width);
    proto.mutable_pixels()->set_height(image->height);
    AppendValues(std::span<const uint8_t>(image->pixels), *proto.mutable_pixels()->mutable_rgb());
  } else if (const auto* coefficients = std::get_if<CoefficientRow>(&row.content)) {
    ToProto(*coefficients, *proto.mutable_coefficients());
  }
}

void ToProto(const Measures& measures, v1::Measures& proto) {
  proto.set_rows(measures.rows);
  proto.set_column_bytes(measures.column_bytes);
  proto.set_delta_bytes(measures.delta_bytes);
  proto.set_result_bytes(measures.result_bytes);
  proto.set_storage_seconds(measures.storage_seconds);
  proto.set_decode_seconds(measures.decode_seconds);
  proto.set_render_seconds(measures.render_seconds);
  proto.set_model_seconds(measures.model_seconds);
  proto.set_send_seconds(measures.send_seconds);
  proto.set_elapsed_seconds(measures.elapsed_seconds);
}

void ToProto(const ExecCounters& counters, v1::QueryStats& proto) {
  proto.set_rows_ok(counters.rows_ok);
  proto.set_rows_failed(counters.rows_failed);
  ToProto(counters.ToMeasures(), *proto.mutable_actual());
}

void ToProto(const QueryPlan& plan, const PlanSummary& summary, v1::Plan& proto) {
  proto.set_dataset(DatasetName(plan.snapshot->dataset().name()));
  proto.set_applies_orientation(false);
  if (const auto* input = std::get_if<ModelInput>(&plan.output)) {
    proto.set_model(ModelName(input->model));
    ToProto(input->fidelity, *proto.mutable_fidelity());
    proto.set_applies_orientation(input->render.apply_orientation);
  } else if (const auto* pixels = std::get_if<ReducedPixels>(&plan.output)) {
    proto.set_applies_orientation(pixels->apply_orientation);
  }
  proto.set_filter(plan.filter);
  proto.set_segments_skipped(plan.selection.segments_skipped);
  proto.set_images(summary.images);
  proto.set_segments(summary.segments);
  proto.set_delta_images(summary.delta_images);
  proto.set_stored_bytes(summary.stored_bytes);
  proto.set_file_bytes(summary.file_bytes);
  for (const auto& [column, bytes] : summary.columns) {
    v1::PlannedColumn& planned = *proto.add_columns();
    planned.set_component(column.component);
    planned.set_frequency(column.frequency);
    planned.set_bytes(bytes);
  }
  for (const CutGroup& group : summary.cuts) {
    v1::PlannedCut& cut = *proto.add_cuts();
    cut.set_images(group.images);
    cut.set_cover(static_cast<uint32_t>(group.cover));
    for (const FrequencyCut& kept : group.cut.components) {
      if (kept.side == 0) continue;
      v1::ComponentCut& component = *cut.add_components();
      component.set_side(kept.side);
      component.set_diagonal(kept.diagonal);
    }
  }
  ToProto(summary.estimated, *proto.mutable_estimated());
}

}  // namespace freqstore
