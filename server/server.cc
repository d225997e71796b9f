#include "server/server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <utility>

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>

#include "fmt/format.h"
#include "gpu/cpu/cpu_device.h"
#include "server/metrics/metrics_server.h"
#include "server/rpc/admin_service.h"
#include "server/rpc/dataset_service.h"
#include "server/rpc/image_service.h"
#include "server/rpc/model_service.h"
#include "server/rpc/query_service.h"
#include "storage/base/status.h"

namespace freqstore {
namespace {

constexpr size_t kScanThreads = 4;
constexpr size_t kRpcThreads = 8;

/// The server's services, once there are any: what the engine, which is there before, may ask.
using ServicesSlot = std::atomic<const ServiceContext*>;

/// As many streams as workers keep the machine busy.
bool IsBusy(const ServicesSlot& slot) {
  const ServiceContext* services = slot;
  return services != nullptr &&
         services->active_queries + services->active_imports >= services->exec.workers->size();
}

}  // namespace

// Members are in the order in which they are made; the last made is the first to go.
class Server::Impl {
 public:
  Impl(ServerOptions options, std::shared_ptr<ServicesSlot> slot, std::unique_ptr<StorageEngine> engine)
      : options_(std::move(options)),
        slot_(std::move(slot)),
        engine_(std::move(engine)),
        models_(&engine_->catalog()),
        bytes_in_flight_(options_.bytes_in_flight_max),
        workers_(options_.workers, [] { return MakeCpuDevice(); }),
        scan_threads_(kScanThreads),
        rpc_threads_(kRpcThreads) {
    services_.engine = engine_.get();
    services_.models = &models_;
    services_.costs = &costs_;
    services_.exec = {&workers_, &scan_threads_, &bytes_in_flight_};
    services_.rpc_threads = &rpc_threads_;
    services_.make_device = [] { return MakeCpuDevice(); };
    services_.device_name = "cpu";
    services_.limits = options_.limits;
    *slot_ = &services_;
  }
  ~Impl() { *slot_ = nullptr; }

  absl::Status Listen() {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort(options_.listen, grpc::InsecureServerCredentials(), &port);
    // Twice the largest file: a file somewhat above the limit is then that file's error, not the stream's.
    builder.SetMaxReceiveMessageSize(
        static_cast<int>(std::min<uint64_t>(2 * options_.limits.file_bytes_max + (1 << 20), INT_MAX)));
    // Two servers on one port would each get a share of the calls.
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.RegisterService(&datasets_);
    builder.RegisterService(&images_);
    builder.RegisterService(&model_service_);
    builder.RegisterService(&queries_);
    builder.RegisterService(&admin_);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || port == 0) {
      return MakeError(
          absl::StatusCode::kUnavailable, "CANNOT_LISTEN",
          fmt::format("cannot listen on {}: the port is taken or the address is not this machine's; choose "
                      "another with --listen",
                      options_.listen));
    }
    address_ = options_.listen.substr(0, options_.listen.rfind(':')) + ":" + std::to_string(port);
    if (!options_.metrics_listen.empty()) {
      ASSIGN_OR_RETURN(metrics_, MetricsServer::Start(options_.metrics_listen, &services_));
    }
    return absl::OkStatus();
  }

  void Shutdown() {
    if (server_ == nullptr) return;
    server_->GetHealthCheckService()->SetServingStatus(false);
    engine_->StopRewrites();  // who watches one would wait for its end
    server_->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(options_.drain_seconds));
    server_->Wait();
    server_.reset();
  }

  const std::string& address() const { return address_; }
  std::string metrics_address() const { return metrics_ == nullptr ? std::string() : metrics_->address(); }

 private:
  const ServerOptions options_;
  const std::shared_ptr<ServicesSlot> slot_;
  std::unique_ptr<StorageEngine> engine_;
  ModelCache models_;
  CostModel costs_;
  ByteBudget bytes_in_flight_;
  ServiceContext services_;
  WorkerPool workers_;
  ThreadPool scan_threads_;  // its last tasks tell the workers
  ThreadPool rpc_threads_;
  DatasetService datasets_{&services_};
  ImageService images_{&services_};
  ModelService model_service_{&services_};
  QueryService queries_{&services_};
  AdminService admin_{&services_};
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<MetricsServer> metrics_;
  std::string address_;
};

Server::Server() = default;

Server::~Server() {
  if (impl_ != nullptr) impl_->Shutdown();
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(ServerOptions options) {
  std::unique_ptr<Server> server(new Server);
  auto slot = std::make_shared<ServicesSlot>(nullptr);
  options.storage.is_busy = [slot] { return IsBusy(*slot); };
  ASSIGN_OR_RETURN(std::unique_ptr<StorageEngine> engine, StorageEngine::Open(options.storage));
  server->impl_ = std::make_unique<Impl>(std::move(options), std::move(slot), std::move(engine));
  RETURN_IF_ERROR(server->impl_->Listen());
  return server;
}

const std::string& Server::address() const {
  return impl_->address();
}

std::string Server::metrics_address() const {
  return impl_->metrics_address();
}

void Server::Shutdown() {
  impl_->Shutdown();
}

}  // namespace freqstore
