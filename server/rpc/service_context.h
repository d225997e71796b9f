// What the services share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include <grpcpp/grpcpp.h>

#include "server/exec/model_cache.h"
#include "server/exec/pipeline.h"
#include "server/plan/cost_model.h"
#include "server/rpc/status_conversion.h"
#include "storage/base/thread_pool.h"
#include "storage/engine/storage_engine.h"

namespace freqstore {

struct ServiceLimits {
  uint32_t streams_max = 256;                             ///< queries and imports at one time
  uint64_t stream_output_bytes_max = uint64_t{16} << 20;  ///< rows made and not yet sent, a stream
  uint64_t row_bytes_max = uint64_t{64} << 20;            ///< of a scan
  uint64_t file_bytes_max = uint64_t{64} << 20;           ///< of an imported file
  uint64_t model_bytes_max = uint64_t{512} << 20;         ///< of an ONNX file
  PipelineOptions pipeline;
};

/// Outlives the services.
struct ServiceContext {
  StorageEngine* engine = nullptr;
  ModelCache* models = nullptr;
  CostModel* costs = nullptr;
  ExecContext exec;
  ThreadPool* rpc_threads = nullptr;  ///< for work that blocks: gRPC's own threads must not
  WorkerPool::MakeDevice make_device;
  std::string device_name;
  ServiceLimits limits;
  std::chrono::steady_clock::time_point start_time = std::chrono::steady_clock::now();
  std::atomic<uint32_t> active_queries{0};
  std::atomic<uint32_t> active_imports{0};
};

/// Runs `work` off gRPC's threads and ends the call with its status. `request` and `response` that it
/// captures live until then.
inline grpc::ServerUnaryReactor* Answer(ServiceContext* services, grpc::CallbackServerContext* context,
                                        std::function<absl::Status()> work) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  services->rpc_threads->Submit([reactor, work = std::move(work)] { reactor->Finish(ToGrpc(work())); });
  return reactor;
}

/// Counts a stream for as long as it lives. ok() is false beyond the limit.
class StreamSlot {
 public:
  StreamSlot(ServiceContext* services, std::atomic<uint32_t>* active) : active_(active) {
    ++*active_;
    ok_ = services->active_queries + services->active_imports <= services->limits.streams_max;
  }
  ~StreamSlot() { --*active_; }
  StreamSlot(const StreamSlot&) = delete;
  StreamSlot& operator=(const StreamSlot&) = delete;

  bool ok() const { return ok_; }

 private:
  std::atomic<uint32_t>* const active_;
  bool ok_ = false;
};

absl::Status StreamLimitError(const ServiceLimits& limits);

}  // namespace freqstore
