// A substream that is being decoded, image by image: what was just decoded is in cache when it is used.
// Private to storage/segment.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "storage/base/coefficient_planes.h"
#include "storage/base/cpu_features.h"
#include "storage/codec/column_codec.h"
#include "storage/codec/context_planes.h"
#include "storage/segment/projection.h"
#include "storage/segment/segment_reader.h"

namespace freqstore {

/// One image that was asked for.
struct DecodeJob {
  size_t index;  ///< of the request
  size_t ordinal;
  std::shared_ptr<const Projection> projection;
};

/// Used again and again, for one substream after the other. Not thread-safe.
class Strand {
 public:
  using Consume = absl::FunctionRef<void(size_t, const absl::Status&, std::vector<CoefficientPlanes>&)>;

  explicit Strand(SimdLevel level);

  /// Starts the columns that `jobs`, which are of this substream, need. Jobs whose columns are damaged are
  /// answered at once.
  void Begin(const SegmentReader& reader, size_t substream, std::vector<DecodeJob> jobs, Consume consume);

  bool done() const { return next_job_ == jobs_.size(); }
  /// What has to be decoded.
  const ColumnSet& closed() const { return closed_; }

  /// Makes room for the next image; call while not done().
  void StartImage();

  /// The image's part in decoding a column, or false if it has none.
  bool MakeTarget(ColumnId id, DecodeTarget& target);

  /// Notes that a column could not be decoded.
  void Fail(ColumnId id, const absl::Status& status);

  /// Hands over what was asked for of the image just decoded.
  void Deliver(Consume consume);

  /// Bytes that the image in memory takes.
  size_t bytes() const;

 private:
  struct Column {
    ColumnId id;
    const ColumnDecoder* decoder;
  };

  void StartColumns(const SegmentReader& reader, size_t substream);
  void ResetPlanes();
  void Finish();

  const SegmentReader* reader_ = nullptr;
  std::vector<DecodeJob> jobs_;  ///< ascending by ordinal
  size_t next_job_ = 0;
  size_t image_ = 0;       ///< ordinal
  size_t images_end_ = 0;  ///< of the substream
  bool is_sequential_ = false;
  ColumnSet closed_;
  std::vector<Column> columns_;  ///< of closed_
  ColumnSet failed_;
  absl::Status failure_;

  std::vector<CoefficientPlanes> planes_;
  std::array<ContextPlanes, kComponentsMax> contexts_;
  std::vector<ColumnCursor> cursors_;  ///< a column
};

}  // namespace freqstore
