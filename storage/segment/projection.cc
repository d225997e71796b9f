#include "storage/segment/projection.h"

namespace freqstore {
namespace {

/// Columns that an image has no component for are passed over.
ColumnSet Applicable(size_t components, ColumnSet columns) {
  for (size_t c = components; c < kComponentsMax; ++c) columns.components[c] = {};
  return columns;
}

}  // namespace

std::shared_ptr<const Projection> MakeProjection(const SegmentReader& reader, size_t components,
                                                 const ColumnSet& requested) {
  auto made = std::make_shared<Projection>();
  made->requested = requested;
  made->components = components;
  made->wanted = Applicable(components, requested);
  made->closed = Applicable(components, reader.Close(made->wanted));
  ForEachColumn(made->closed, [&](ColumnId id) {
    const absl::StatusOr<const ColumnDecoder*> decoder = reader.FindColumn(id);
    made->status.Update(decoder.status());
    if (decoder.ok() && (*decoder)->sequential()) made->is_sequential = true;
  });
  return made;
}

bool Intersect(const ColumnSet& a, const ColumnSet& b) {
  for (size_t c = 0; c < kComponentsMax; ++c) {
    if ((a.components[c].bits() & b.components[c].bits()) != 0) return true;
  }
  return false;
}

}  // namespace freqstore
