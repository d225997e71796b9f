#include "server/rpc/admin_service.h"

#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "server/rpc/resource_name.h"
#include "server/rpc/rewrite_stream.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

uint64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t total_pages = 0;
  uint64_t resident_pages = 0;
  statm >> total_pages >> resident_pages;
  return resident_pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

grpc::ServerUnaryReactor* AdminService::GetStatus(grpc::CallbackServerContext* context,
                                                  const v1::GetStatusRequest* /*request*/,
                                                  v1::ServerStatus* response) {
  return Answer(services_, context, [this, response]() -> absl::Status {
    response->set_version(FREQSTORE_VERSION);
    response->set_uptime_seconds(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - services_->start_time).count());
    response->set_workers(static_cast<uint32_t>(services_->exec.workers->size()));
    response->set_device(services_->device_name);
    StorageEngine& engine = *services_->engine;
    const auto datasets = engine.catalog().Datasets();
    response->set_datasets(datasets.size());
    response->set_models(engine.catalog().Models().size());
    for (const auto& dataset : datasets) {
      const auto stats = engine.Describe(dataset.name());
      if (!stats.ok()) continue;  // deleted meanwhile
      response->set_images(response->images() + stats->images);
      response->set_delta_images(response->delta_images() + stats->delta_images);
    }
    response->set_active_queries(services_->active_queries);
    response->set_active_imports(services_->active_imports);
    response->set_bytes_in_flight(services_->exec.bytes_in_flight->held_bytes());
    response->set_bytes_in_flight_max(services_->exec.bytes_in_flight->limit_bytes());
    response->set_resident_bytes(ResidentBytes());
    for (size_t i = 0; i < kFamilyCount; ++i) {
      v1::FamilySize& size = *response->add_families();
      size.set_name(std::string(kFamilyNames[i]));
      size.set_disk_bytes(engine.DiskBytes(static_cast<Family>(i)));
    }
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* AdminService::Flush(grpc::CallbackServerContext* context,
                                              const v1::FlushRequest* request, v1::FlushResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    std::vector<std::string> names;
    if (request->dataset().empty()) {
      for (const auto& dataset : services_->engine->catalog().Datasets()) names.push_back(dataset.name());
    } else {
      ASSIGN_OR_RETURN(names.emplace_back(), ParseDatasetName(request->dataset()));
    }
    for (const std::string& name : names) {
      ASSIGN_OR_RETURN(const FlushResult result, services_->engine->Flush(name));
      response->set_images(response->images() + result.images);
      response->set_segments(response->segments() + result.segments);
      for (const std::string& damaged : result.damaged) response->add_damaged(damaged);
    }
    return absl::OkStatus();
  });
}

grpc::ServerWriteReactor<v1::RewriteProgress>* AdminService::RewriteDataset(
    grpc::CallbackServerContext* /*context*/, const v1::RewriteDatasetRequest* request) {
  return RewriteStream::Start(services_, request);
}

}  // namespace freqstore
