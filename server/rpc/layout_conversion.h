// Layouts on the wire. Their numbers are those in the store.
#pragma once

#include "absl/status/statusor.h"
#include "freqstore/v1/dataset.pb.h"
#include "storage/codec/layout.h"

namespace freqstore {

v1::Layout ToProto(Layout layout);

/// INVALID_ARGUMENT (UNKNOWN_LAYOUT) for unspecified and unknown ones.
absl::StatusOr<Layout> LayoutFromProto(v1::Layout layout);

}  // namespace freqstore
