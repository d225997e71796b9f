#include "server/rpc/admin_service.h"

#include <filesystem>
#include <string>
#include <vector>

#include <google/protobuf/util/time_util.h>

#include "server/rpc/alarms.h"
#include "server/rpc/layout_conversion.h"
#include "server/rpc/progress_stream.h"
#include "server/rpc/resource_name.h"
#include "storage/base/resident_memory.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

using google::protobuf::util::TimeUtil;

void ToProto(const Alarm& alarm, v1::Alarm& proto) {
  proto.set_reason(alarm.reason);
  proto.set_message(alarm.message);
  if (alarm.since_us != 0) *proto.mutable_since() = TimeUtil::MicrosecondsToTimestamp(alarm.since_us);
}

void AddMaintenance(const MaintenanceCounters& counters, v1::Maintenance& proto) {
  proto.set_images_columnized(counters.images_columnized);
  proto.set_segments_columnized(counters.segments_columnized);
  proto.set_segments_compacted(counters.segments_compacted);
  proto.set_images_compacted(counters.images_compacted);
  proto.set_bytes_compacted(counters.bytes_compacted);
  proto.set_failures(counters.failures);
  proto.set_paused(counters.is_paused);
}

void FillRewrite(const RewriteProgress& progress, v1::RewriteProgress& proto) {
  proto.set_segments_total(progress.segments_total);
  proto.set_segments_done(progress.segments_done);
  proto.set_images_total(progress.images_total);
  proto.set_images_done(progress.images_done);
  proto.set_bytes_before(progress.bytes_before);
  proto.set_bytes_after(progress.bytes_after);
  proto.mutable_damaged()->Assign(progress.damaged.begin(), progress.damaged.end());
}

void FillVerify(const VerifyProgress& progress, v1::VerifyProgress& proto) {
  proto.set_tables_checked(progress.tables_checked);
  proto.set_segments_total(progress.segments_total);
  proto.set_segments_done(progress.segments_done);
  proto.set_images_total(progress.images_total);
  proto.set_images_done(progress.images_done);
  proto.set_originals(progress.originals);
  proto.mutable_damaged()->Assign(progress.damaged.begin(), progress.damaged.end());
  proto.set_quarantined(progress.quarantined);
  proto.set_released(progress.released);
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
      size.set_disk_bytes(engine.kv().DiskBytes(static_cast<Family>(i)));
    }
    for (const Alarm& alarm : CurrentAlarms(engine)) ToProto(alarm, *response->add_alarms());
    AddMaintenance(engine.maintenance(), *response->mutable_maintenance());
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* AdminService::CompactDataset(grpc::CallbackServerContext* context,
                                                       const v1::CompactDatasetRequest* request,
                                                       v1::CompactDatasetResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string name, ParseDatasetName(request->dataset()));
    ASSIGN_OR_RETURN(const CompactResult result, services_->engine->Compact(name));
    response->set_segments_before(result.segments_before);
    response->set_segments_after(result.segments_after);
    response->set_images_moved(result.images_moved);
    response->set_purged(result.is_purged);
    response->mutable_damaged()->Assign(result.damaged.begin(), result.damaged.end());
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
  const auto open = [this,
                     request = *request]() -> absl::StatusOr<std::shared_ptr<ProgressJob<RewriteProgress>>> {
    ASSIGN_OR_RETURN(const std::string dataset, ParseDatasetName(request.dataset()));
    ASSIGN_OR_RETURN(const Layout layout, LayoutFromProto(request.layout()));
    return services_->engine->Rewrite(dataset, layout);
  };
  return ProgressStream<RewriteProgress, v1::RewriteProgress>::Start(services_, open, FillRewrite);
}

grpc::ServerWriteReactor<v1::VerifyProgress>* AdminService::Verify(grpc::CallbackServerContext* /*context*/,
                                                                   const v1::VerifyRequest* request) {
  const VerifyOptions options{.originals_every = request->originals_every() == 0
                                                     ? VerifyOptions().originals_every
                                                     : request->originals_every(),
                              .quarantine = !request->no_quarantine()};
  const auto open = [this, options]() -> absl::StatusOr<std::shared_ptr<VerifyJob>> {
    return services_->engine->Verify(options);
  };
  return ProgressStream<VerifyProgress, v1::VerifyProgress>::Start(services_, open, FillVerify);
}

grpc::ServerUnaryReactor* AdminService::Checkpoint(grpc::CallbackServerContext* context,
                                                   const v1::CheckpointRequest* request,
                                                   v1::CheckpointResponse* response) {
  return Answer(services_, context, [this, request, response]() -> absl::Status {
    const std::filesystem::path folder = request->folder();
    if (!folder.is_absolute()) {
      return MakeError(
          absl::StatusCode::kInvalidArgument, "INVALID_FOLDER",
          "give the absolute path of a folder on the server's machine, which does not exist yet");
    }
    RETURN_IF_ERROR(services_->engine->kv().Checkpoint(folder));
    response->set_folder(folder.string());
    return absl::OkStatus();
  });
}

}  // namespace freqstore
