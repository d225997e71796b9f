#include "client/cli/export_report.h"

#include <utility>

#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

constexpr uint64_t kFailuresShown = 10;

}  // namespace

ExportReport::ExportReport(const Globals& globals, uint64_t total)
    : format_(globals.format),
      printer_(globals.format, {Field("IMAGE", "image"), Field("STATUS", "status"), Size("SIZE", "bytes")}),
      progress_("export", total, "images") {}

void ExportReport::Written(const std::string& image_id, const std::filesystem::path& path, uint64_t bytes) {
  ++written_;
  bytes_ += bytes;
  Print({{"image", image_id}, {"status", "OK"}, {"bytes", bytes}, {"file", path.string()}});
  progress_.Add(1, bytes);
}

void ExportReport::ThereBefore() {
  ++there_before_;
  progress_.Add(1);
}

void ExportReport::Failed(const std::string& image_id, const std::string& reason,
                          const std::string& message) {
  ++failed_;
  Print({{"image", image_id}, {"status", reason}, {"message", message}});
  if (failed_ <= kFailuresShown && format_ == Format::kTable) {
    progress_.Clear();
    fmt::print(stderr, "failed {}: {} [{}]\n", image_id, message, reason);
  }
  progress_.Add(1);
}

int ExportReport::End(const std::string& out) {
  progress_.Clear();
  if (format_ != Format::kTable) printer_.End();
  if (failed_ > kFailuresShown && format_ == Format::kTable)
    fmt::print(stderr, "... and {} more; --format jsonl lists all\n", failed_ - kFailuresShown);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  fmt::print(stderr,
             "exported {} files ({}) to {} in {:.1f} s, each with the SHA-256 of what was imported; {} there "
             "before; {} failed\n",
             written_, HumanBytes(double(bytes_)), out, seconds, there_before_, failed_);
  return failed_ == 0 ? kExitDone : kExitFailed;
}

void ExportReport::Print(Json record) {
  if (format_ == Format::kTable) return;
  progress_.Clear();
  printer_.Print(std::move(record));
}

}  // namespace freqstore::cli
