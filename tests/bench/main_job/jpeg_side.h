// The job as it is done without Freqstore: JPEG files, libjpeg-turbo, a resize, the same executor; all cores.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/device/render_spec.h"
#include "gpu/model/model.h"

namespace freqstore::bench {

/// Best class by file name.
using Answers = std::map<std::string, uint32_t>;

/// Reads each file, decodes it at the smallest of 1/8, 2/8, 4/8 and 8/8 that is not below the model's resize
/// (the scales at which libjpeg-turbo gains from scaling), resizes and runs the model in batches of
/// `batch_images`. Orientation is not applied. Throws std::runtime_error for a file that cannot be decoded.
class JpegSide {
 public:
  JpegSide(std::vector<std::filesystem::path> files, std::shared_ptr<const Model> model, RenderSpec spec,
           uint32_t batch_images, unsigned threads);
  ~JpegSide();

  Answers Run();

 private:
  class Thread;
  std::vector<std::filesystem::path> files_;
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace freqstore::bench
