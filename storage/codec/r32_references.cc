#include "storage/codec/r32_references.h"

#include <algorithm>
#include <array>

namespace freqstore {
namespace {

/// Means of what is fitted to photos (imagenet validation images, quality 75 to 96), by component.
struct DefaultWeights {
  uint8_t left, above, diagonal, two_left, two_above, transposed, horizontal, vertical, component;
};
constexpr std::array<DefaultWeights, 3> kDefaultWeights = {{
    {84, 84, 37, 35, 36, 66, 25, 17, 0},
    {68, 69, 35, 31, 35, 46, 23, 13, 0},
    {49, 54, 28, 26, 28, 37, 9, 7, 68},
}};

constexpr size_t kCr = 2;
constexpr int kGradientReach = 3;

class Builder {
 public:
  explicit Builder(ColumnId column)
      : column_(column), u_(HorizontalFrequency(column.frequency)), v_(VerticalFrequency(column.frequency)) {}

  void AddFrequency(int u, int v, uint8_t weight) {
    if (u < 0 || v < 0 || u + v == 0) return;
    const uint8_t z = kNaturalToZigzag[static_cast<size_t>(kBlockSide * v + u)];
    if (z < column_.frequency) Add({R32Reference::Kind::kFrequency, z, weight});
  }

  void Add(R32Reference reference) {
    const bool is_new = std::none_of(references_.begin(), references_.end(), [&](const R32Reference& other) {
      return other.kind == reference.kind && other.frequency == reference.frequency;
    });
    if (is_new && references_.size() < kR32ReferencesMax) references_.push_back(reference);
  }

  std::vector<R32Reference> Build() {
    const DefaultWeights& weights = kDefaultWeights[std::min<size_t>(column_.component, kCr)];
    AddFrequency(u_ - 1, v_, weights.left);
    AddFrequency(u_, v_ - 1, weights.above);
    AddFrequency(u_ - 1, v_ - 1, weights.diagonal);
    AddFrequency(u_ - 2, v_, weights.two_left);
    AddFrequency(u_, v_ - 2, weights.two_above);
    if (column_.component == kCr) Add({R32Reference::Kind::kComponent, 0, weights.component});
    if (u_ + v_ == 1) AddFrequency(v_, u_, weights.left);
    if (u_ + v_ <= kGradientReach) {
      if (u_ > 0) Add({R32Reference::Kind::kHorizontal, 0, weights.horizontal});
      if (v_ > 0) Add({R32Reference::Kind::kVertical, 0, weights.vertical});
    }
    AddFrequency(v_, u_, weights.transposed);
    return references_;
  }

 private:
  const ColumnId column_;
  const int u_;
  const int v_;
  std::vector<R32Reference> references_;
};

}  // namespace

std::vector<R32Reference> DefaultR32References(ColumnId column) {
  return column.frequency == 0 ? std::vector<R32Reference>{} : Builder(column).Build();
}

}  // namespace freqstore
