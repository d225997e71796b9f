#include "client/cli/import_report.h"

#include <algorithm>

#include "client/cpp/error.h"
#include "fmt/core.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

constexpr uint64_t kRejectsShown = 10;

}  // namespace

ImportReport::ImportReport(const Globals& globals, const std::string& rejects, uint64_t total)
    : format_(globals.format), progress_("import", total, "images") {
  if (rejects.empty()) return;
  rejects_.open(rejects);
  if (!rejects_) throw CommandError("CANNOT_WRITE", "cannot write " + rejects);
}

void ImportReport::Sent(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ += bytes;
}

void ImportReport::Acknowledged(const v1::ImportAcknowledgement& acknowledgement) {
  if (acknowledgement.status().code() != 0) {
    Refused(acknowledgement.image_id(), client::ReasonOf(acknowledgement.status()),
            acknowledgement.status().message());
    return;
  }
  const std::lock_guard lock(mutex_);
  ++imported_;
  if (acknowledgement.already_present()) ++already_present_;
  PrintLine(acknowledgement.image_id(), "OK", "");
  progress_.Add(1);
}

void ImportReport::Refused(const std::string& image_id, const std::string& reason,
                           const std::string& message) {
  const std::lock_guard lock(mutex_);
  ++refused_;
  PrintLine(image_id, reason, message);
  if (rejects_.is_open()) rejects_ << image_id << '\t' << reason << '\t' << message << '\n';
  if (refused_ <= kRejectsShown && format_ == Format::kTable) {
    progress_.Clear();
    fmt::print(stderr, "refused {}: {} [{}]\n", image_id, message, reason);
  }
  progress_.Add(1);
}

int ImportReport::End(const AttributeCounts* attributes) {
  const std::lock_guard lock(mutex_);
  progress_.Clear();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (refused_ > kRejectsShown && format_ == Format::kTable) {
    fmt::print(stderr, "... and {} more; --rejects FILE or --format jsonl lists all\n",
               refused_ - kRejectsShown);
  }
  if (format_ == Format::kTable) {
    fmt::print(
        "imported {} of {} images ({}) in {:.1f} s: {:.0f} images/s, {}/s; {} refused, {} there before\n",
        imported_, imported_ + refused_, HumanBytes(double(bytes_)), seconds,
        double(imported_) / std::max(seconds, 1e-3), HumanBytes(double(bytes_) / std::max(seconds, 1e-3)),
        refused_, already_present_);
  } else if (format_ == Format::kJson) {
    Json summary = {{"imported", imported_},
                    {"already_present", already_present_},
                    {"refused", refused_},
                    {"bytes", bytes_},
                    {"seconds", seconds}};
    if (attributes != nullptr) {
      summary["images_without_attributes"] = attributes->images_without_line;
      summary["attributes_without_image"] = attributes->lines_without_image;
    }
    fmt::print("{}\n", summary.dump(2));
  }
  if (attributes != nullptr && format_ != Format::kJson) {
    fmt::print(stderr, "{} images have no line in the file of attributes; {} of its lines have no image\n",
               attributes->images_without_line, attributes->lines_without_image);
  }
  return refused_ == 0 ? kExitDone : kExitFailed;
}

void ImportReport::PrintLine(const std::string& image_id, const std::string& status,
                             const std::string& message) const {
  if (format_ != Format::kJsonl) return;
  Json line;
  line["image"] = image_id;
  line["status"] = status;
  if (!message.empty()) line["message"] = message;
  fmt::print("{}\n", line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace freqstore::cli
