#include "server/rpc/image_conversion.h"

#include <google/protobuf/util/time_util.h>

#include "server/rpc/resource_name.h"
#include "storage/base/geometry_names.h"

namespace freqstore {

void ToProto(std::string_view dataset, const ImageRecord& record, bool in_delta, v1::Image& proto) {
  proto.set_name(ImageName(dataset, record.image_id));
  proto.set_image_id(record.image_id);
  proto.set_width(record.geometry.width);
  proto.set_height(record.geometry.height);
  proto.set_color(ColorName(record.geometry.color));
  proto.set_sampling(SamplingName(record.geometry));
  proto.set_orientation(record.geometry.orientation);
  proto.set_quality(record.quality);
  proto.set_progressive(record.progressive);
  proto.set_truncated(record.truncated);
  proto.set_warnings(record.warnings);
  proto.set_file_bytes(record.file_bytes);
  proto.set_sha256(record.sha256);
  *proto.mutable_import_time() =
      google::protobuf::util::TimeUtil::MicrosecondsToTimestamp(record.import_time_us);
  proto.set_in_delta(in_delta);
  proto.set_duplicate_of(record.duplicate_of);
  if (record.keep_reason != KeepReason::kNone)
    proto.set_keep_reason(std::string(KeepReasonName(record.keep_reason)));
}

}  // namespace freqstore
