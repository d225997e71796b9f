#include "storage/engine/originals.h"

#include <utility>
#include <vector>

#include "storage/base/hash.h"
#include "storage/base/status.h"
#include "storage/jpeg/jpeg_writer.h"
#include "storage/segment/segment_decoder.h"

namespace freqstore {
namespace {

absl::StatusOr<std::string> Verified(const ImageRecord& record, absl::StatusOr<std::string> file) {
  if (file.ok() && Sha256(AsBytes(*file)) != record.sha256) {
    file = MakeError(absl::StatusCode::kDataLoss, "ORIGINAL_MISMATCH",
                     "the file does not have the SHA-256 of what was imported");
  }
  if (!file.ok()) return Annotate(file.status(), record.image_id);
  return file;
}

}  // namespace

absl::Status ReadOriginalFiles(const DatasetSnapshot& snapshot, const Part& part,
                               std::span<const uint32_t> ordinals, ConsumeOriginal consume) {
  ASSIGN_OR_RETURN(const ImageRows rows, snapshot.ReadRows(part));
  ASSIGN_OR_RETURN(std::vector<std::string> originals, snapshot.ReadOriginals(part, rows, ordinals));
  std::vector<ImageRequest> requests;
  for (const uint32_t ordinal : ordinals) {
    const ImageRecord& record = (*rows)[ordinal];
    if (record.keep_reason == KeepReason::kNone) {
      requests.push_back({ordinal, ColumnSet::All()});
    } else if (!consume(ordinal, Verified(record, std::move(originals[ordinal])))) {
      return absl::OkStatus();
    }
  }
  if (requests.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const auto loaded, snapshot.Load(part, rows, ColumnSet::All()));
  SegmentDecoder decoder;
  bool is_wanted = true;
  decoder.Decode(loaded->reader(), requests,
                 [&](size_t index, const absl::Status& decoded, std::vector<CoefficientPlanes>& planes) {
                   if (!is_wanted) return;
                   const size_t ordinal = requests[index].ordinal;
                   const ImageRecord& record = (*rows)[ordinal];
                   const auto rebuild = [&]() -> absl::StatusOr<std::string> {
                     RETURN_IF_ERROR(decoded);
                     return WriteJpeg(AsBytes(originals[ordinal]), record.geometry, planes,
                                      static_cast<size_t>(record.file_bytes));
                   };
                   is_wanted = consume(static_cast<uint32_t>(ordinal), Verified(record, rebuild()));
                 });
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadOriginalFile(const DatasetSnapshot& snapshot,
                                             DatasetSnapshot::Position position) {
  absl::StatusOr<std::string> result;
  RETURN_IF_ERROR(ReadOriginalFiles(snapshot, snapshot.parts()[position.part], {&position.ordinal, 1},
                                    [&](uint32_t, absl::StatusOr<std::string> file) {
                                      result = std::move(file);
                                      return true;
                                    }));
  return result;
}

}  // namespace freqstore
