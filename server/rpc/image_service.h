// freqstore.v1.ImageService.
#pragma once

#include "freqstore/v1/image.grpc.pb.h"
#include "server/rpc/service_context.h"

namespace freqstore {

class ImageService final : public v1::ImageService::CallbackService {
 public:
  explicit ImageService(ServiceContext* services) : services_(services) {}

  grpc::ServerBidiReactor<v1::ImportImagesRequest, v1::ImportImagesResponse>* ImportImages(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* GetImage(grpc::CallbackServerContext* context, const v1::GetImageRequest* request,
                                     v1::Image* response) override;
  grpc::ServerUnaryReactor* GetImageFile(grpc::CallbackServerContext* context,
                                         const v1::GetImageFileRequest* request,
                                         v1::GetImageFileResponse* response) override;
  grpc::ServerWriteReactor<v1::ExportImagesResponse>* ExportImages(
      grpc::CallbackServerContext* context, const v1::ExportImagesRequest* request) override;
  grpc::ServerUnaryReactor* UpdateAttributes(grpc::CallbackServerContext* context,
                                             const v1::UpdateAttributesRequest* request,
                                             v1::UpdateAttributesResponse* response) override;
  grpc::ServerUnaryReactor* DeleteImages(grpc::CallbackServerContext* context,
                                         const v1::DeleteImagesRequest* request,
                                         v1::DeleteImagesResponse* response) override;
  grpc::ServerUnaryReactor* ListImages(grpc::CallbackServerContext* context,
                                       const v1::ListImagesRequest* request,
                                       v1::ListImagesResponse* response) override;

 private:
  ServiceContext* const services_;
};

}  // namespace freqstore
