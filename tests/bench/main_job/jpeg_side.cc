#include "tests/bench/main_job/jpeg_side.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "gpu/cpu/cpu_device.h"
#include "gpu/cpu/model/cpu_tensor.h"
#include "tests/bench/main_job/triangle_resize.h"
#include "tests/bench/turbo_decoder.h"

namespace freqstore::bench {

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
        decoder_.DecodeFor(ReadWholeFile(files[first + i]), spec_.resize, pixels_);
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
  TurboDecoder decoder_;
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
