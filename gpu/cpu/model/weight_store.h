// Packed weights, shared by the plans of one model.
#pragma once

#include <vector>

#include <dnnl.hpp>

#include "gpu/model/host_tensor.h"

namespace freqstore {

/// Used by one thread. Throws dnnl::error and std::bad_alloc.
class WeightStore {
 public:
  explicit WeightStore(const dnnl::engine& engine) : engine_(engine), stream_(engine) {}

  /// `source`, read as `view` (row-major, of as many elements), in the layout `packed`. Plans of several
  /// batch sizes mostly want the same layout and then share the memory.
  dnnl::memory Pack(const HostTensorPtr& source, const dnnl::memory::desc& view,
                    const dnnl::memory::desc& packed);

 private:
  struct Entry {
    HostTensorPtr source;  // kept alive, so that its address stays its identity
    dnnl::memory::desc view;
    dnnl::memory memory;
  };

  dnnl::engine engine_;
  dnnl::stream stream_;
  std::vector<Entry> entries_;
};

}  // namespace freqstore
