#include "server/rpc/model_registration.h"

#include <chrono>
#include <utility>

#include "fmt/format.h"
#include "server/exec/infer_operator.h"
#include "server/rpc/input_spec_conversion.h"
#include "storage/base/clock.h"
#include "storage/base/hash.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

absl::Status CheckLabels(const v1::ModelSpec& spec, const Model& model) {
  if (spec.labels().empty()) return absl::OkStatus();
  const ValueInfo& output = model.outputs().front();
  if (!IsClassifier(model)) {
    return MakeError(
        absl::StatusCode::kInvalidArgument, "LABELS_WITHOUT_CLASSES",
        fmt::format("output '{}' is not one score a class; register the model without labels", output.name));
  }
  if (spec.labels_size() != output.shape[1]) {
    return MakeError(absl::StatusCode::kInvalidArgument, "LABEL_COUNT",
                     fmt::format("{} labels for the {} classes of output '{}'", spec.labels_size(),
                                 output.shape[1], output.name));
  }
  return absl::OkStatus();
}

/// Seconds for one image, of the better of two runs of a full batch after one to warm up.
absl::StatusOr<double> Measure(Device& device, const std::shared_ptr<const Model>& model,
                               const storage::v1::InputSpec& spec, uint32_t batch_images) {
  ASSIGN_OR_RETURN(const std::unique_ptr<LoadedModel> loaded, device.Load(model));
  ASSIGN_OR_RETURN(const std::unique_ptr<Tensor> input,
                   device.Allocate(DataType::kFloat32, {batch_images, 3, spec.height(), spec.width()}));
  std::vector<float> first_value(1);
  double best = 0;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(const std::vector<const Tensor*> outputs, loaded->Run(*input, batch_images));
    RETURN_IF_ERROR(device.CopyToHost(*outputs.front(), first_value));  // waits for the run
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (run == 1 || (run == 2 && seconds < best)) best = seconds;
  }
  return best / batch_images;
}

}  // namespace

absl::StatusOr<storage::v1::ModelMeta> RegisterModel(ServiceContext& services, const v1::ModelSpec& spec,
                                                     std::string file) {
  RETURN_IF_ERROR(CheckName("model", spec.model_id()));
  ASSIGN_OR_RETURN(const std::shared_ptr<const Model> model, Model::FromOnnx(AsBytes(file)));
  storage::v1::ModelMeta meta;
  meta.set_name(spec.model_id());
  ASSIGN_OR_RETURN(*meta.mutable_input_spec(), ResolveInputSpec(spec.input_spec(), *model));
  RETURN_IF_ERROR(CheckLabels(spec, *model));
  *meta.mutable_labels() = spec.labels();
  meta.set_file_bytes(file.size());
  meta.set_sha256(Sha256(AsBytes(file)));
  meta.set_create_time_us(NowMicros());
  const std::unique_ptr<Device> device = services.make_device();
  ASSIGN_OR_RETURN(const double seconds,
                   Measure(*device, model, meta.input_spec(), services.limits.pipeline.batch_images));
  meta.set_seconds_per_image(seconds);
  RETURN_IF_ERROR(services.engine->catalog().PutModel(meta, std::move(file)));
  return meta;
}

}  // namespace freqstore
