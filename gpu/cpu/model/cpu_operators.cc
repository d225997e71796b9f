#include "gpu/cpu/model/cpu_operators.h"

#include <map>

namespace freqstore {

LowerFunction FindLowering(std::string_view operator_name) {
  static const std::map<std::string_view, LowerFunction> lowerings = {
      {"Add", LowerArithmetic},
      {"AveragePool", LowerPool},
      {"Cast", LowerUnchanged},
      {"Clip", LowerActivation},
      {"Concat", LowerConcat},
      {"Conv", LowerConv},
      {"Div", LowerArithmetic},
      {"Dropout", LowerUnchanged},
      {"Expand", LowerExpand},
      {"Flatten", LowerReshape},
      {"Gemm", LowerGemm},
      {"GlobalAveragePool", LowerPool},
      {"GlobalMaxPool", LowerPool},
      {"HardSigmoid", LowerActivation},
      {"HardSwish", LowerActivation},
      {"Identity", LowerUnchanged},
      {"LeakyRelu", LowerActivation},
      {"MatMul", LowerMatMul},
      {"MaxPool", LowerPool},
      {"Mul", LowerArithmetic},
      {"Pad", LowerPad},
      {"ReduceMean", LowerReduceMean},
      {"Relu", LowerActivation},
      {"Reshape", LowerReshape},
      {"Resize", LowerResize},
      {"Sigmoid", LowerActivation},
      {"Softmax", LowerSoftmax},
      {"Squeeze", LowerReshape},
      {"Sub", LowerArithmetic},
      {"Transpose", LowerTranspose},
      {"Unsqueeze", LowerReshape},
  };
  auto it = lowerings.find(operator_name);
  return it == lowerings.end() ? nullptr : it->second;
}

}  // namespace freqstore
