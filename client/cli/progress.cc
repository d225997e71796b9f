#include "client/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <utility>

#include "client/cli/output.h"
#include "fmt/format.h"

namespace freqstore::cli {
namespace {

using std::chrono::steady_clock;

constexpr auto kRedraw = std::chrono::milliseconds(100);

bool IsTerminal() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && term != nullptr && std::string(term) != "dumb";
}

std::string TimeLeft(double seconds) {
  const auto whole = static_cast<int64_t>(std::max(seconds, 0.0) + 0.5);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

Progress::Progress(std::string label, uint64_t total, std::string unit)
    : label_(std::move(label)), total_(total), unit_(std::move(unit)), visible_(IsTerminal()) {}

Progress::~Progress() {
  Clear();
}

void Progress::Add(uint64_t items, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  items_ += items;
  bytes_ += bytes;
  const auto now = steady_clock::now();
  if (!visible_ || now - last_draw_ < kRedraw) return;
  last_draw_ = now;
  Draw();
}

void Progress::Draw() {
  constexpr uint64_t kBarWidth = 24;
  const double seconds = std::chrono::duration<double>(steady_clock::now() - start_).count();
  const double rate = double(items_) / std::max(seconds, 1e-3);
  std::string line = label_;
  if (total_ > 0) {
    const uint64_t filled = std::min(kBarWidth, kBarWidth * items_ / total_);
    line += fmt::format(" [{:=<{}}{: <{}}] {:3.0f} %", "", filled, "", kBarWidth - filled,
                        100.0 * double(std::min(items_, total_)) / double(total_));
  }
  line += fmt::format("  {} {}  {:.0f}/s", items_, unit_, rate);
  if (bytes_ > 0) line += fmt::format("  {}/s", HumanBytes(double(bytes_) / std::max(seconds, 1e-3)));
  if (total_ > items_ && rate > 0) line += fmt::format("  {} left", TimeLeft(double(total_ - items_) / rate));
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::Clear() {
  const std::lock_guard lock(mutex_);
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace freqstore::cli
