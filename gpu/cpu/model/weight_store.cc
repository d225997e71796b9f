#include "gpu/cpu/model/weight_store.h"

#include <cstddef>

namespace freqstore {

dnnl::memory WeightStore::Pack(const HostTensorPtr& source, const dnnl::memory::desc& view,
                               const dnnl::memory::desc& packed) {
  for (const Entry& entry : entries_) {
    if (entry.source == source && entry.view == view && entry.memory.get_desc() == packed)
      return entry.memory;
  }
  dnnl::memory memory(packed, engine_);
  // oneDNN takes every handle as mutable; a reorder does not write to its source.
  void* values = const_cast<std::byte*>(source->bytes().data());
  dnnl::memory plain(view, engine_, values);
  dnnl::reorder(plain, memory).execute(stream_, plain, memory);
  stream_.wait();
  entries_.push_back({source, view, memory});
  return memory;
}

}  // namespace freqstore
