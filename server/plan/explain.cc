#include "server/plan/explain.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "fmt/format.h"

namespace freqstore {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string Bytes10(uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  double value = double(bytes);
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", value, kUnits[unit]);
}

std::string Seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.1f} %", 100.0 * double(part) / double(whole));
}

std::string CutText(const FrequencyCut& cut) {
  if (cut.side == 0) return "-";
  std::string text = fmt::format("{}x{}", cut.side, cut.side);
  if (cut.diagonal < 2 * (cut.side - 1)) text += fmt::format(" u+v<={}", cut.diagonal);
  return text;
}

void Headline(const QueryPlan& plan, const PlanSummary& summary, Out out) {
  const std::string& dataset = plan.snapshot->dataset().name();
  if (const auto* input = std::get_if<ModelInput>(&plan.output)) {
    fmt::format_to(out, "Infer   datasets/{} with models/{}, fidelity {}\n", dataset, input->model,
                   input->fidelity.ToString());
  } else if (const auto* pixels = std::get_if<ReducedPixels>(&plan.output)) {
    fmt::format_to(out, "Scan    datasets/{}, pixels at {}/8\n", dataset, pixels->k);
  } else {
    const int side = std::get<LowCoefficients>(plan.output).side;
    fmt::format_to(out, "Scan    datasets/{}, the low {}x{} coefficients\n", dataset, side, side);
  }
  fmt::format_to(out, "Images  {} in {} segments", summary.images, summary.segments);
  if (summary.delta_images > 0)
    fmt::format_to(out, ", {} of them in the delta (read whole)", summary.delta_images);
  const size_t not_found = plan.selection.failed.size();
  if (not_found > 0) fmt::format_to(out, "; {} were not found", not_found);
  fmt::format_to(out, "\n");
  if (plan.filter.empty()) return;
  fmt::format_to(out, "Filter  {}: {} of {} images; {} of {} segments skipped\n", plan.filter, summary.images,
                 plan.snapshot->image_count(), plan.selection.segments_skipped,
                 plan.selection.segments_skipped + summary.segments);
}

// Which frequencies are read, a grid a component: u across, v down.
void ColumnGrid(const PlanSummary& summary, Out out) {
  if (summary.columns.empty()) return;
  ColumnSet read;
  for (const auto& [column, bytes] : summary.columns) read.Insert(column);
  int components = 0;
  for (int c = 0; c < kComponentsMax; ++c) {
    if (!read.components[static_cast<size_t>(c)].empty()) components = c + 1;
  }
  fmt::format_to(out, "Columns {} are read (#), u across, v down; components side by side\n",
                 summary.columns.size());
  for (size_t v = 0; v < kBlockSide; ++v) {
    fmt::format_to(out, "        ");
    for (int c = 0; c < components; ++c) {
      for (size_t u = 0; u < kBlockSide; ++u) {
        const bool is_read = read.components[static_cast<size_t>(c)].Contains(kNaturalToZigzag[v * 8 + u]);
        fmt::format_to(out, "{}", is_read ? '#' : '.');
      }
      fmt::format_to(out, "  ");
    }
    fmt::format_to(out, "\n");
  }
}

void Cuts(const PlanSummary& summary, Out out) {
  constexpr size_t kCutsShown = 8;
  fmt::format_to(out, "Cuts    {:>8}  {:>5}  {}\n", "images", "cover", "kept of each component");
  uint64_t others = 0;
  for (size_t i = 0; i < summary.cuts.size(); ++i) {
    const CutGroup& group = summary.cuts[i];
    if (i >= kCutsShown) {
      others += group.images;
      continue;
    }
    std::string kept;
    for (const FrequencyCut& cut : group.cut.components) {
      if (cut.side > 0) kept += (kept.empty() ? "" : ", ") + CutText(cut);
    }
    fmt::format_to(out, "        {:>8}  {:>5}  {}\n", group.images,
                   group.cover == 0 ? "-" : fmt::format("{}/8", group.cover), kept);
  }
  if (others > 0) fmt::format_to(out, "        {:>8}  {:>5}  other cuts\n", others, "");
}

void Render(const QueryPlan& plan, const ExplainContext& context, Out out) {
  if (const auto* input = std::get_if<ModelInput>(&plan.output)) {
    const ResizeRule& resize = input->render.resize;
    const std::string rule =
        resize.kind == ResizeRule::Kind::kStretch
            ? fmt::format("stretched to {}x{}", resize.width, resize.height)
            : fmt::format("shorter side to {}, centre {}x{}", resize.shortest, resize.width, resize.height);
    fmt::format_to(out, "Render  {}, {}, EXIF orientation {}\n", rule, input->render.bgr ? "BGR" : "RGB",
                   input->render.apply_orientation ? "applied" : "ignored");
    fmt::format_to(out, "Model   batches of {} on {} x {}\n", context.batch_images, context.workers,
                   context.device);
  } else if (const auto* pixels = std::get_if<ReducedPixels>(&plan.output)) {
    fmt::format_to(out, "Render  {}x{} inverse transform, RGB, EXIF orientation {}, on {} x {}\n", pixels->k,
                   pixels->k, pixels->apply_orientation ? "applied" : "ignored", context.workers,
                   context.device);
  }
}

void Costs(const PlanSummary& summary, const std::optional<Measures>& actual, Out out) {
  const auto line = [&](std::string_view name, const std::string& estimated, const std::string& measured) {
    fmt::format_to(out, "        {:<22}{:>14}", name, estimated);
    if (actual) fmt::format_to(out, "{:>14}", measured);
    fmt::format_to(out, "\n");
  };
  const Measures& estimate = summary.estimated;
  const Measures measured = actual.value_or(Measures{});
  fmt::format_to(out, "Cost    {:<22}{:>14}", "", "estimated");
  if (actual) fmt::format_to(out, "{:>14}", "actual");
  fmt::format_to(out, "\n");
  line("rows", fmt::format("{}", estimate.rows), fmt::format("{}", measured.rows));
  line("read from columns", Bytes10(estimate.column_bytes), Bytes10(measured.column_bytes));
  line("read from the delta", Bytes10(estimate.delta_bytes), Bytes10(measured.delta_bytes));
  line("results", Bytes10(estimate.result_bytes), Bytes10(measured.result_bytes));
  line("storage", Seconds(estimate.storage_seconds), Seconds(measured.storage_seconds));
  line("decode", Seconds(estimate.decode_seconds), Seconds(measured.decode_seconds));
  line("render", Seconds(estimate.render_seconds), Seconds(measured.render_seconds));
  line("model", Seconds(estimate.model_seconds), Seconds(measured.model_seconds));
  line("send", Seconds(estimate.send_seconds), Seconds(measured.send_seconds));
  line("elapsed", Seconds(estimate.elapsed_seconds), Seconds(measured.elapsed_seconds));
}

}  // namespace

std::string ExplainText(const QueryPlan& plan, const PlanSummary& summary, const ExplainContext& context,
                        const std::optional<Measures>& actual) {
  std::string text;
  Out out(text);
  Headline(plan, summary, out);
  const uint64_t read = summary.estimated.column_bytes + summary.estimated.delta_bytes;
  fmt::format_to(out, "Reads   {} of {} stored ({}); the JPEG files hold {} ({})\n", Bytes10(read),
                 Bytes10(summary.stored_bytes), Percent(read, summary.stored_bytes),
                 Bytes10(summary.file_bytes), Percent(read, summary.file_bytes));
  ColumnGrid(summary, out);
  Cuts(summary, out);
  Render(plan, context, out);
  Costs(summary, actual, out);
  return text;
}

}  // namespace freqstore
