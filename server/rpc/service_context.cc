#include "server/rpc/service_context.h"

#include "fmt/format.h"
#include "storage/base/status.h"

namespace freqstore {

absl::Status StreamLimitError(const ServiceLimits& limits) {
  return MakeError(
      absl::StatusCode::kResourceExhausted, "LIMIT_STREAMS",
      fmt::format("the server runs {} streams already, its limit (--streams-max); try again later",
                  limits.streams_max));
}

}  // namespace freqstore
