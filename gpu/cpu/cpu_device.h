// The CPU as a device: one thread, SIMD where the machine has it, oneDNN for models.
#pragma once

#include <memory>

#include "gpu/device/device.h"
#include "storage/base/cpu_features.h"

namespace freqstore {

/// Makes a CPU device for the calling worker. Devices share nothing mutable.
///
/// Beside the errors of Device: INVALID_ARGUMENT for an index, row, scale or tensor that does not fit the
/// call (reason INVALID_DEVICE_CALL), or for objects of another device (WRONG_DEVICE).
std::unique_ptr<Device> MakeCpuDevice(SimdLevel level = BestSimdLevel());

}  // namespace freqstore
