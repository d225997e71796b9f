#include "tests/bench/main_job/jpeg_side.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <jpeglib.h>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "gpu/cpu/cpu_device.h"
#include "gpu/cpu/model/cpu_tensor.h"
#include "tests/bench/main_job/triangle_resize.h"

namespace freqstore::bench {
namespace {

struct Pixels {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<uint8_t> rgb;
};

/// One libjpeg-turbo decoder, used for file after file.
class Decoder {
 public:
  Decoder() {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = [](j_common_ptr) {
      throw std::runtime_error("libjpeg-turbo cannot decode a photo");
    };
    errors_.emit_message = [](j_common_ptr, int) {};
    jpeg_create_decompress(&info_);
  }
  ~Decoder() { jpeg_destroy_decompress(&info_); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  void Decode(const std::string& file, const ResizeRule& rule, Pixels& pixels) {
    jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(file.data()), file.size());
    jpeg_read_header(&info_, TRUE);
    info_.out_color_space = JCS_RGB;
    info_.scale_denom = 8;
    info_.scale_num = ScaleFor(rule);
    jpeg_start_decompress(&info_);
    pixels.width = info_.output_width;
    pixels.height = info_.output_height;
    const size_t stride = size_t{3} * pixels.width;
    pixels.rgb.resize(stride * pixels.height);
    while (info_.output_scanline < info_.output_height) {
      JSAMPROW row = pixels.rgb.data() + stride * info_.output_scanline;
      jpeg_read_scanlines(&info_, &row, 1);
    }
    jpeg_finish_decompress(&info_);
  }

 private:
  unsigned ScaleFor(const ResizeRule& rule) const {
    const double shorter = std::min(info_.image_width, info_.image_height);
    const double factor = rule.kind == ResizeRule::Kind::kShortest ? rule.shortest / shorter : 0;
    const double width = factor > 0 ? info_.image_width * factor : rule.width;
    const double height = factor > 0 ? info_.image_height * factor : rule.height;
    for (const unsigned scale : {1U, 2U, 4U}) {
      if (std::ceil(info_.image_width * scale / 8.0) >= width &&
          std::ceil(info_.image_height * scale / 8.0) >= height) {
        return scale;
      }
    }
    return 8;
  }

  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
};

std::string ReadFile(const std::filesystem::path& path) {
  std::string bytes(std::filesystem::file_size(path), '\0');
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr || std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
    throw std::runtime_error("cannot read " + path.string());
  }
  std::fclose(file);
  return bytes;
}

}  // namespace

class JpegSide::Thread {
 public:
  Thread(const std::shared_ptr<const Model>& model, const RenderSpec& spec, uint32_t batch_images)
      : spec_(spec), batch_images_(batch_images), device_(MakeCpuDevice()) {
    auto loaded = device_->Load(model);
    auto input =
        device_->Allocate(DataType::kFloat32, {batch_images, 3, spec.resize.height, spec.resize.width});
    if (!loaded.ok() || !input.ok()) throw std::runtime_error("the model cannot be loaded");
    model_ = *std::move(loaded);
    input_ = *std::move(input);
  }

  void Run(const std::vector<std::filesystem::path>& files, std::atomic<size_t>& next, Answers& answers,
           std::mutex& mutex) {
    while (true) {
      const size_t first = next.fetch_add(batch_images_);
      if (first >= files.size()) return;
      const size_t count = std::min<size_t>(batch_images_, files.size() - first);
      for (size_t i = 0; i < count; ++i) {
        decoder_.Decode(ReadFile(files[first + i]), spec_.resize, pixels_);
        const size_t elements = size_t{3} * spec_.resize.width * spec_.resize.height;
        resize_.Run(pixels_.rgb, pixels_.width, pixels_.height, spec_,
                    Floats().subspan(i * elements, elements));
      }
      const auto outputs = model_->Run(*input_, static_cast<int64_t>(count));
      if (!outputs.ok()) throw std::runtime_error(std::string(outputs.status().message()));
      const size_t classes = static_cast<size_t>(ElementCount(outputs->front()->shape())) / count;
      scores_.resize(classes * count);
      if (!device_->CopyToHost(*outputs->front(), scores_).ok()) throw std::runtime_error("no output");
      const std::lock_guard lock(mutex);
      for (size_t i = 0; i < count; ++i) {
        const auto begin = scores_.begin() + static_cast<std::ptrdiff_t>(i * classes);
        const auto best = std::max_element(begin, begin + static_cast<std::ptrdiff_t>(classes));
        answers[files[first + i].filename().string()] = static_cast<uint32_t>(best - begin);
      }
    }
  }

 private:
  std::span<float> Floats() { return static_cast<CpuTensor&>(*input_).floats(); }

  const RenderSpec spec_;
  const uint32_t batch_images_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<LoadedModel> model_;
  std::unique_ptr<Tensor> input_;
  Decoder decoder_;
  TriangleResize resize_;
  Pixels pixels_;
  std::vector<float> scores_;
};

JpegSide::JpegSide(std::vector<std::filesystem::path> files, std::shared_ptr<const Model> model,
                   RenderSpec spec, uint32_t batch_images, unsigned threads)
    : files_(std::move(files)) {
  for (unsigned i = 0; i < threads; ++i)
    threads_.push_back(std::make_unique<Thread>(model, spec, batch_images));
}

JpegSide::~JpegSide() = default;

Answers JpegSide::Run() {
  Answers answers;
  std::mutex mutex;
  std::atomic<size_t> next = 0;
  std::vector<std::thread> running;
  for (auto& thread : threads_) running.emplace_back([&] { thread->Run(files_, next, answers, mutex); });
  for (std::thread& thread : running) thread.join();
  return answers;
}

}  // namespace freqstore::bench
