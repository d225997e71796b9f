#include "deploy/sample/photo.h"

#include <array>
#include <utility>

#include "deploy/sample/background.h"
#include "deploy/sample/camera.h"
#include "deploy/sample/jpeg_file.h"
#include "deploy/sample/random.h"
#include "deploy/sample/subject.h"

namespace freqstore::sample {
namespace {

struct Size {
  int width;
  int height;
};

Size RandomSize(Random& random) {
  constexpr std::array<Size, 6> kSizes = {
      {{500, 375}, {500, 375}, {500, 333}, {500, 400}, {480, 360}, {512, 384}}};
  Size size = kSizes[random.Next() % kSizes.size()];
  if (random.Chance(0.25F)) size.height += random.Integer(-9, 9);
  if (random.Chance(0.25F)) std::swap(size.width, size.height);
  return size;
}

JpegSettings RandomSettings(Random& random) {
  return {.quality = random.Chance(0.75F) ? random.Integer(90, 96) : random.Integer(75, 90),
          .grayscale = random.Chance(0.03F),
          .halve_chroma = random.Chance(0.3F),
          .progressive = random.Chance(0.05F)};
}

}  // namespace

Photo MakePhoto(uint64_t seed, uint32_t index) {
  Random random(Mix(seed) ^ Mix(uint64_t{index} << 32));
  const auto [width, height] = RandomSize(random);
  Picture picture(width, height);
  Photo photo;
  photo.class_index = static_cast<int>(index % kClassNames.size());
  PaintBackground(picture, random);
  PaintSubject(picture, photo.class_index, random);
  TakePhoto(picture, random);
  photo.jpeg = EncodeJpeg(picture, RandomSettings(random));
  return photo;
}

}  // namespace freqstore::sample
