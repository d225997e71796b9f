#include "client/cli/query_options.h"

#include <algorithm>

#include "fmt/format.h"

namespace freqstore::cli {
namespace {

/// The digit of a string of one digit from 1 to 8, else 0.
uint32_t DigitTo8(std::string_view text) {
  return text.size() == 1 && text[0] >= '1' && text[0] <= '8' ? static_cast<uint32_t>(text[0] - '0') : 0;
}

}  // namespace

v1::Fidelity ParseFidelity(const std::string& text) {
  constexpr std::string_view kLossy = "lossy:";
  v1::Fidelity fidelity;
  if (text == "exact") {
    fidelity.set_level(v1::Fidelity::LEVEL_EXACT);
  } else if (text == "standard") {
    fidelity.set_level(v1::Fidelity::LEVEL_STANDARD);
  } else if (text == "reduced") {
    fidelity.set_level(v1::Fidelity::LEVEL_REDUCED);
  } else if (text.starts_with(kLossy) && DigitTo8(std::string_view(text).substr(kLossy.size())) != 0) {
    fidelity.set_level(v1::Fidelity::LEVEL_LOSSY);
    fidelity.set_lossy_side(DigitTo8(std::string_view(text).substr(kLossy.size())));
  } else {
    throw CLI::ValidationError("--fidelity", "takes exact, standard, reduced or lossy:N with N from 1 to 8");
  }
  return fidelity;
}

uint32_t ParseScale(const std::string& text) {
  const std::string_view view(text);
  const uint32_t k = DigitTo8(view.ends_with("/8") ? view.substr(0, view.size() - 2) : view);
  if (k == 0) throw CLI::ValidationError("--scale", "takes k/8 with k from 1 to 8");
  return k;
}

const char* const kFilterHelp =
    R"(A filter is a condition over an image's attributes, your own and those that every image has: width, height, color, sampling,
orientation, quality, progressive, truncated, warnings, file_bytes, import_time, duplicate_of, keep_reason, image_id, sha256.
  label = dog AND width >= 512          compare with = != < <= > >=; AND may be left out
  label = dog OR label = cat            OR binds tighter than AND; use parentheses
  image_id:"cats/" AND NOT camera:*     : is "contains"; camera:* holds where there is a camera
  import_time >= 2026-01-31             times: a date, or "2026-01-31T12:00:00Z"
)";

void AddSelectionOptions(CLI::App& command, Selection& selection) {
  CLI::Option* images =
      command.add_option("--image", selection.images, "Only this image; may be given more than once");
  command.add_option("--filter", selection.filter, "Only images for which this holds, see below")
      ->excludes(images);
}

void AddInferOptions(CLI::App& command, InferOptions& options) {
  command.add_option("--fidelity", options.fidelity, "exact, standard, reduced or lossy:N, see below")
      ->capture_default_str()
      ->check([](const std::string& text) {
        ParseFidelity(text);
        return std::string();
      });
  AddSelectionOptions(command, options.selection);
  command.add_option("--top", options.top, "Best classes of an image")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command.add_flag("--raw", options.raw, "The model's first output as it is, instead of classes");
  command.add_flag("--ignore-orientation", options.ignore_orientation, "Do not apply EXIF orientation");
}

v1::InferRequest ToRequest(const InferOptions& options) {
  v1::InferRequest request;
  request.set_dataset(client::DatasetName(options.dataset));
  request.set_model(client::ModelName(options.model));
  *request.mutable_fidelity() = ParseFidelity(options.fidelity);
  request.mutable_image_ids()->Assign(options.selection.images.begin(), options.selection.images.end());
  request.set_filter(options.selection.filter);
  request.set_top(options.top);
  request.set_raw_output(options.raw);
  request.set_ignore_orientation(options.ignore_orientation);
  return request;
}

std::string Summary(const v1::QueryStats& stats) {
  const v1::Measures& actual = stats.actual();
  return fmt::format("{} images in {:.2f} s: {:.0f} images/s, {} read{}",
                     stats.rows_ok() + stats.rows_failed(), actual.elapsed_seconds(),
                     double(actual.rows()) / std::max(actual.elapsed_seconds(), 1e-6),
                     HumanBytes(double(actual.column_bytes() + actual.delta_bytes())),
                     stats.rows_failed() == 0 ? "" : fmt::format("; {} failed", stats.rows_failed()));
}

}  // namespace freqstore::cli
