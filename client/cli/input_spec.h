// How a model's input is made, from a preset or a JSON file.
#pragma once

#include <string>
#include <vector>

#include "freqstore/v1/model.pb.h"

namespace freqstore::cli {

struct Preset {
  std::string name;
  std::string description;
  v1::InputSpec spec;
};

/// The preprocessing of well-known model families.
const std::vector<Preset>& Presets();

/// Parses {"pixels": {"width": 224, "height": 224, "resize": "stretch" | "shortest=256", "order": "RGB" |
/// "BGR", "mean": [r, g, b], "scale": [r, g, b]}}: tensor = (pixel - mean) * scale. All but "pixels" may be
/// left out. Throws CommandError (INVALID_INPUT_SPEC) naming the field.
v1::InputSpec ParseInputSpec(const std::string& json_text);

}  // namespace freqstore::cli
