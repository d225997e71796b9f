#include "gpu/model/model.h"

#include <utility>

#include "gpu/model/graph.h"
#include "gpu/model/onnx_import.h"
#include "gpu/model/passes.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

int64_t CountParameters(const Graph& graph) {
  int64_t count = 0;
  for (const Value& value : graph.values) {
    if (value.constant != nullptr && value.type == DataType::kFloat32) count += value.constant->elements();
  }
  return count;
}

}  // namespace

Model::Model() : graph_(std::make_unique<Graph>()) {}
Model::~Model() = default;

absl::StatusOr<std::shared_ptr<const Model>> Model::FromOnnx(Bytes file) {
  ASSIGN_OR_RETURN(ImportedModel imported, ImportOnnx(file));
  std::shared_ptr<Model> model(new Model());
  Graph& graph = *model->graph_;
  graph = std::move(imported.graph);

  // Weights stored as bytes become floats, four times as large; beyond that a file may ask for little.
  constexpr int64_t kFoldedBytesBase = int64_t{16} << 20;
  FoldBudget budget(8 * static_cast<int64_t>(file.size()) + kFoldedBytesBase);
  RETURN_IF_ERROR(FoldConstants(graph, budget));
  RemoveDeadNodes(graph);
  RETURN_IF_ERROR(AnnotateShapes(graph, imported.input_shape, model->macs_per_image_));
  RemovePassThrough(graph);
  RETURN_IF_ERROR(ReplaceBatchNormalization(graph));
  FoldGemmFactors(graph);
  FuseResiduals(graph);
  FuseActivations(graph);
  RemoveDeadNodes(graph);

  model->input_ = {graph.values[static_cast<size_t>(graph.inputs[0])].name, imported.input_shape};
  for (const GraphOutput& output : graph.outputs) {
    model->outputs_.push_back({output.name, graph.values[static_cast<size_t>(output.value)].shape});
  }
  model->parameters_ = CountParameters(graph);
  model->producer_ = std::move(imported.producer);
  return model;
}

}  // namespace freqstore
