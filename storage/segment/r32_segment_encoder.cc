#include "storage/segment/r32_segment_encoder.h"

#include <algorithm>
#include <deque>
#include <list>
#include <optional>

#include "storage/base/cpu_features.h"
#include "storage/base/status.h"
#include "storage/codec/context_planes.h"
#include "storage/codec/dc_prediction.h"
#include "storage/codec/r32_encoder.h"
#include "storage/codec/r32_trainer.h"

namespace freqstore {
namespace {

constexpr size_t kSampleImages = 48;
constexpr uint64_t kSampleBlocks = 2048;  ///< of a component

/// One image's coefficients, and what is predicted from them.
class Source {
 public:
  explicit Source(SimdLevel level)
      : contexts_{ContextPlanes(level), ContextPlanes(level), ContextPlanes(level), ContextPlanes(level)} {}

  absl::Status Load(const PackedImage& image) {
    components_.resize(image.record.geometry.components.size());
    for (size_t c = 0; c < components_.size(); ++c) {
      RETURN_IF_ERROR(UnpackComponent(image, c, components_[c]));
      contexts_[c].Reset(components_[c]);
    }
    residuals_component_ = std::nullopt;
    return absl::OkStatus();
  }

  /// The image as the codec wants it; 0 blocks if it lacks the component.
  R32Image View(ColumnId id, const R32Model& model) {
    if (id.component >= components_.size()) return {};
    CoefficientPlanes& planes = components_[id.component];
    ContextPlanes& contexts = contexts_[id.component];
    R32Image image{.blocks = static_cast<size_t>(planes.grid().blocks()),
                   .width_blocks = planes.grid().width_blocks,
                   .references = {}};
    if (id.frequency == 0) {
      SetResiduals(id.component, image);
      return image;
    }
    ContextPlanes* previous = nullptr;
    if (id.component > 0 && components_[id.component - 1u].grid() == planes.grid())
      previous = &contexts_[id.component - 1u];
    image.references = contexts.Find(model, id.frequency, previous);
    const ContextPlanes::Column column = contexts.Get(id.frequency);
    image.counts = column.counts;
    if (planes.IsNarrow(id.frequency)) {
      image.narrow = column.clamped;
    } else {
      image.wide = planes.plane(id.frequency).data();
    }
    return image;
  }

 private:
  /// DC is coded as residuals: FORMAT.md, "DC".
  void SetResiduals(uint8_t component, R32Image& image) {
    if (residuals_component_ != component) {
      residuals_component_ = component;
      const CoefficientPlanes& planes = components_[component];
      const BlockGrid& grid = planes.grid();
      residuals_.Reset(grid, FrequencySet(1));
      PredictDc(grid, planes.plane(0), residuals_.plane(0));
      residual_contexts_.Reset(residuals_);
    }
    const ContextPlanes::Column column = residual_contexts_.Get(0);
    image.wide = residuals_.plane(0).data();
    image.context = column.clamped;
    image.counts = column.counts;
  }

  std::vector<CoefficientPlanes> components_;
  std::array<ContextPlanes, kComponentsMax> contexts_;
  CoefficientPlanes residuals_;  ///< of residuals_component_
  ContextPlanes residual_contexts_{BestSimdLevel()};
  std::optional<uint8_t> residuals_component_;
};

/// A column while it is trained and encoded.
struct ColumnWork {
  ColumnWork(ColumnId id, SimdLevel level) : trainer(id, level) { column.id = id; }

  R32Trainer trainer;
  std::optional<R32Encoder> encoder;
  R32ColumnContent column;
};

class SegmentEncoder {
 public:
  SegmentEncoder(std::span<const PackedImage* const> images, const ColumnSet& columns,
                 uint32_t images_per_substream)
      : images_(images), images_per_substream_(images_per_substream) {
    ForEachColumn(columns, [&](ColumnId id) { work_.emplace_back(id, level_); });
    for (size_t i = 0; i < std::min<size_t>(images.size(), images_per_substream); ++i)
      sources_.emplace_back(level_);
  }

  absl::StatusOr<std::vector<R32ColumnContent>> Run() {
    RETURN_IF_ERROR(Sample());
    RETURN_IF_ERROR(ForEachSubstream([&](ColumnWork& work, std::span<const R32Image> views) {
      for (const R32Image& view : views) work.trainer.Count(view);
    }));
    std::erase_if(work_, [](const ColumnWork& work) { return !work.trainer.fits(); });
    for (ColumnWork& work : work_) {
      const R32Model& model = work.trainer.Finish();
      work.encoder.emplace(work.column.id, model, level_);
      work.column.content.head = SerializeR32Model(model);
      work.column.contexts = R32ContextColumns(work.column.id, model);
    }
    RETURN_IF_ERROR(ForEachSubstream([&](ColumnWork& work, std::span<const R32Image> views) {
      ChunkContent& content = work.column.content;
      work.encoder->Append(views, scratch_, content.substreams);
      content.substream_ends.push_back(static_cast<uint32_t>(content.substreams.size()));
    }));
    std::vector<R32ColumnContent> columns;
    for (ColumnWork& work : work_) columns.push_back(std::move(work.column));
    return columns;
  }

 private:
  absl::Status Sample() {
    const size_t step = std::max<size_t>(1, images_.size() / kSampleImages);
    std::array<uint64_t, kComponentsMax> blocks{};
    for (size_t i = step / 2; i < images_.size(); i += step) {
      const auto& components = images_[i]->record.geometry.components;
      for (size_t c = 0; c < components.size(); ++c) blocks[c] += components[c].grid.blocks();
    }
    for (size_t i = step / 2; i < images_.size(); i += step) {
      RETURN_IF_ERROR(sources_.front().Load(*images_[i]));
      for (ColumnWork& work : work_) {
        const R32Image view = sources_.front().View(work.column.id, work.trainer.model());
        const uint64_t stride = std::max<uint64_t>(1, blocks[work.column.id.component] / kSampleBlocks);
        work.trainer.Sample(view, static_cast<size_t>(stride));
      }
    }
    for (ColumnWork& work : work_) work.trainer.ChooseWeights();
    return absl::OkStatus();
  }

  /// Calls `visit(column, its images)` for all columns of one substream after the other.
  template <typename Visit>
  absl::Status ForEachSubstream(Visit visit) {
    std::vector<R32Image> views;
    for (size_t first = 0; first < images_.size(); first += images_per_substream_) {
      const size_t count = std::min<size_t>(images_per_substream_, images_.size() - first);
      for (size_t i = 0; i < count; ++i) RETURN_IF_ERROR(sources_[i].Load(*images_[first + i]));
      for (ColumnWork& work : work_) {
        views.clear();
        for (size_t i = 0; i < count; ++i)
          views.push_back(sources_[i].View(work.column.id, work.trainer.model()));
        visit(work, std::span<const R32Image>(views));
      }
    }
    return absl::OkStatus();
  }

  const std::span<const PackedImage* const> images_;
  const uint32_t images_per_substream_;
  const SimdLevel level_ = BestSimdLevel();
  std::list<ColumnWork> work_;  ///< encoders point at trainers
  std::deque<Source> sources_;  ///< of a substream's images
  R32EncodeScratch scratch_;
};

}  // namespace

absl::StatusOr<std::vector<R32ColumnContent>> EncodeR32Columns(std::span<const PackedImage* const> images,
                                                               const ColumnSet& columns,
                                                               uint32_t images_per_substream) {
  if (images.empty()) return std::vector<R32ColumnContent>();
  return SegmentEncoder(images, columns, images_per_substream).Run();
}

}  // namespace freqstore
