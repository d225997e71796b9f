#include "storage/engine/cluster.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

namespace freqstore {
namespace {

constexpr std::array<uint32_t, 4> kQualityClassEnds = {50, 75, 88, 95};

/// Sum of the steps of libjpeg's luma quantiser at quality 50 (ITU-T T.81, table K.1).
constexpr uint32_t kStandardLumaStepSum = 3688;

/// What an image loses by company of another size, against another quality: a smaller neighbour makes every
/// query read more of it, another quality only codes it a little worse.
constexpr uint64_t kSizeCost = 4;

uint32_t ShorterSide(const ImageRecord& image) {
  return std::min(image.geometry.width, image.geometry.height);
}

/// Some classes of one component layout that will share segments.
struct Group {
  uint8_t size_min;  ///< classes
  uint8_t quality_min;
  uint8_t quality_max;
  std::vector<size_t> images;
  SegmentFill fill;

  void Absorb(Group other) {
    size_min = std::min(size_min, other.size_min);
    quality_min = std::min(quality_min, other.quality_min);
    quality_max = std::max(quality_max, other.quality_max);
    images.insert(images.end(), other.images.begin(), other.images.end());
    fill.Add(other.fill);
  }
};

/// What the images of two groups lose if they share segments: those are read with the cut of the smallest
/// image, and coded for all qualities.
uint64_t JoiningCost(const Group& a, const Group& b) {
  const uint64_t size_min = std::min(a.size_min, b.size_min);
  const uint64_t qualities =
      uint64_t{std::max(a.quality_max, b.quality_max)} - std::min(a.quality_min, b.quality_min);
  uint64_t cost = 0;
  for (const Group* group : {&a, &b}) {
    const uint64_t added_qualities = qualities - (uint64_t{group->quality_max} - group->quality_min);
    cost += group->fill.fill() * (kSizeCost * (group->size_min - size_min) + added_qualities);
  }
  return cost;
}

/// Joins groups of one component layout until none is small, or one is left.
void MergeSmall(std::vector<Group>& groups) {
  while (groups.size() > 1) {
    const auto smallest =
        std::ranges::min_element(groups, {}, [](const Group& group) { return group.fill.fill(); });
    if (!smallest->fill.small()) return;
    Group small = std::move(*smallest);
    groups.erase(smallest);
    const auto cheapest =
        std::ranges::min_element(groups, {}, [&](const Group& group) { return JoiningCost(small, group); });
    cheapest->Absorb(std::move(small));
  }
}

/// Cuts a group into the fewest segments, of equal fill.
void Cut(ImagePointers images, Group group, std::vector<std::vector<size_t>>& segments) {
  std::ranges::sort(group.images);  // as they came
  std::vector<const ImageRecord*> members;
  for (const size_t index : group.images) members.push_back(images[index]);

  const uint64_t whole = group.fill.Whole();
  const uint64_t parts = (group.fill.fill() + whole - 1) / whole;
  const uint64_t part_fill = (group.fill.fill() + parts - 1) / parts;
  const size_t first = segments.size();
  segments.resize(first + parts);
  uint64_t before = 0;
  for (const size_t member : SegmentOrder(members)) {
    segments[first + before / part_fill].push_back(group.images[member]);
    before += group.fill.ShareOf(*members[member]);
  }
  // Images larger than a part leave parts without any.
  std::erase_if(segments, [](const auto& segment) { return segment.empty(); });
}

}  // namespace

uint64_t SegmentFill::ShareOf(const ImageRecord& image) const {
  return std::max(target_.luma_blocks, target_.images * image.geometry.components.front().grid.blocks());
}

uint32_t QualityOf(const ImageRecord& image) {
  if (image.quality != 0) return image.quality;
  const auto& steps = image.geometry.components.front().quant;
  const uint32_t sum = std::max(1U, std::accumulate(steps.begin(), steps.end(), 0U));
  // libjpeg scales its table by 50 / quality below 50, by (100 - quality) / 50 from there on.
  if (sum > kStandardLumaStepSum) return std::max(1U, 50 * kStandardLumaStepSum / sum);
  return 100 - 50 * sum / kStandardLumaStepSum;
}

ClusterKey ClusterKeyOf(const ImageRecord& image) {
  const uint64_t side = std::max(1U, ShorterSide(image));
  const auto quality_class = std::ranges::upper_bound(kQualityClassEnds, QualityOf(image));
  return {.components = ComponentLayoutOf(image.geometry).SerializeAsString(),
          .size_class = static_cast<uint8_t>(std::bit_width(side * side) - 1),
          .quality_class = static_cast<uint8_t>(quality_class - kQualityClassEnds.begin())};
}

storage::v1::ComponentLayout ComponentLayoutOf(const ImageGeometry& geometry) {
  storage::v1::ComponentLayout layout;
  layout.set_color(static_cast<storage::v1::ColorModel>(geometry.color));
  for (const ComponentGeometry& component : geometry.components) {
    layout.add_sampling(uint32_t{component.h_samp} * 16 + component.v_samp);
  }
  return layout;
}

storage::v1::Cluster ClusterOf(std::span<const ImageRecord> images) {
  const auto [smallest, largest] = std::ranges::minmax_element(images, {}, ShorterSide);
  const auto [lowest, highest] = std::ranges::minmax_element(images, {}, QualityOf);
  storage::v1::Cluster cluster;
  cluster.set_shorter_side_min(ShorterSide(*smallest));
  cluster.set_shorter_side_max(ShorterSide(*largest));
  cluster.set_quality_min(QualityOf(*lowest));
  cluster.set_quality_max(QualityOf(*highest));
  return cluster;
}

std::vector<size_t> SegmentOrder(ImagePointers images) {
  std::vector<size_t> order(images.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t index) {
    return std::pair(images[index]->geometry.components.front().grid.blocks(), QualityOf(*images[index]));
  });
  return order;
}

std::vector<std::vector<size_t>> PartitionIntoSegments(ImagePointers images, const SegmentTarget& target) {
  std::map<ClusterKey, Group> classes;
  for (size_t i = 0; i < images.size(); ++i) {
    const ClusterKey key = ClusterKeyOf(*images[i]);
    Group& group = classes
                       .try_emplace(key, Group{.size_min = key.size_class,
                                               .quality_min = key.quality_class,
                                               .quality_max = key.quality_class,
                                               .images = {},
                                               .fill = SegmentFill(target)})
                       .first->second;
    group.images.push_back(i);
    group.fill.Add(*images[i]);
  }
  std::map<std::string, std::vector<Group>> layouts;
  for (auto& [key, group] : classes) layouts[key.components].push_back(std::move(group));

  std::vector<std::vector<size_t>> segments;
  for (auto& [components, groups] : layouts) {
    MergeSmall(groups);
    for (Group& group : groups) Cut(images, std::move(group), segments);
  }
  return segments;
}

}  // namespace freqstore
