// ONNX's tensors and attributes as ours. With onnx_import.cc, all that sees the ONNX schema.
#pragma once

#include "absl/status/statusor.h"
#include "gpu/model/attributes.h"
#include "gpu/model/host_tensor.h"

namespace onnx {
class AttributeProto;
class TensorProto;
}  // namespace onnx

namespace freqstore {

/// Takes float32, uint8, int8, int32, int64, and bool as uint8. Trusts nothing: the shape has to match the
/// data there is, so nothing larger than the file is allocated. Errors: INVALID_MODEL, UNSUPPORTED_TYPE.
absl::StatusOr<HostTensor> ImportTensor(const onnx::TensorProto& proto);

/// nullopt for a kind that no operator here has (subgraphs, strings, types). Errors: as ImportTensor.
absl::StatusOr<std::optional<AttributeValue>> ImportAttribute(const onnx::AttributeProto& proto);

}  // namespace freqstore
