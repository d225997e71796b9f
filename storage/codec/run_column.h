// Columns whose images can be decoded alone: raw and bp32. FORMAT.md, "Runs".
#pragma once

#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "storage/codec/column_codec.h"
#include "storage/codec/run_codec.h"

namespace freqstore {

/// `runs` must outlive what it opens.
class RunColumnCodec final : public ColumnCodec {
 public:
  RunColumnCodec(CodecId id, std::string_view name, const RunCodec* runs)
      : id_(id), name_(name), runs_(runs) {}

  CodecId id() const override { return id_; }
  std::string_view name() const override { return name_; }
  absl::StatusOr<std::unique_ptr<const ColumnDecoder>> Open(const ColumnData& data) const override;

 private:
  const CodecId id_;
  const std::string_view name_;
  const RunCodec* const runs_;
};

/// Appends the substream of the images whose runs these are; an image that lacks the component has an empty
/// one.
void AppendRunSubstream(std::span<const RunView> runs, std::string& out);

}  // namespace freqstore
