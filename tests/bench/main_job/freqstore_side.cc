#include "tests/bench/main_job/freqstore_side.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "client/cpp/importer.h"
#include "storage/base/status.h"

namespace freqstore::bench {
namespace {

constexpr char kDataset[] = "photos";

void Check(const grpc::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.error_message());
}

}  // namespace

FreqstoreSide::FreqstoreSide(const std::filesystem::path& data_dir) {
  ServerOptions options;
  options.storage.data_dir = data_dir;
  options.listen = "127.0.0.1:0";
  auto server = Server::Start(options);
  if (!server.ok()) throw std::runtime_error(std::string(MessageOf(server.status())));
  server_ = *std::move(server);
  client_ = std::make_unique<client::Client>(server_->address());
  v1::CreateDatasetRequest request;
  request.set_dataset_id(kDataset);
  v1::Dataset dataset;
  grpc::ClientContext context;
  Check(client_->datasets().CreateDataset(&context, request, &dataset));
}

double FreqstoreSide::Import(const std::vector<std::filesystem::path>& files) {
  const auto start = std::chrono::steady_clock::now();
  std::string refused;
  client::Importer importer(*client_, kDataset, [&](const v1::ImportAcknowledgement& ack) {
    if (ack.status().code() != 0) refused = ack.image_id() + ": " + ack.status().message();
  });
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    importer.Send(file.filename().string(),
                  {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
  }
  Check(importer.Finish());
  if (!refused.empty()) throw std::runtime_error(refused);
  v1::FlushResponse response;
  grpc::ClientContext context;
  Check(client_->admin().Flush(&context, {}, &response));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void FreqstoreSide::RegisterModel(const std::string& name, const std::string& file,
                                  const v1::InputSpec& spec) {
  v1::ModelSpec model_spec;
  model_spec.set_model_id(name);
  *model_spec.mutable_input_spec() = spec;
  v1::Model model;
  Check(client_->RegisterModel(model_spec, file, model));
}

FreqstoreSide::Result FreqstoreSide::Run(const std::string& model, const v1::Fidelity& fidelity) {
  v1::InferRequest request;
  request.set_dataset(client::DatasetName(kDataset));
  request.set_model(client::ModelName(model));
  *request.mutable_fidelity() = fidelity;
  request.set_ignore_orientation(true);  // the JPEG side does not apply it either
  grpc::ClientContext context;
  const auto stream = client_->queries().Infer(&context, request);
  Result result;
  v1::InferResponse response;
  while (stream->Read(&response)) {
    for (const v1::InferResult& row : response.results()) {
      if (row.status().code() != 0) throw std::runtime_error(row.status().message());
      result.answers[row.image_id()] = row.top(0).class_index();
    }
    if (response.has_stats()) result.actual = response.stats().actual();
  }
  Check(stream->Finish());
  return result;
}

}  // namespace freqstore::bench
