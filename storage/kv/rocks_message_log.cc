#include "storage/kv/rocks_message_log.h"

#include <chrono>
#include <cstdarg>
#include <cstdio>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "fmt/chrono.h"
#include "fmt/format.h"

namespace freqstore {
namespace {

class MessageLog final : public rocksdb::Logger {
 public:
  explicit MessageLog(std::FILE* file) : file_(file) {}
  ~MessageLog() override { std::fclose(file_); }
  MessageLog(const MessageLog&) = delete;
  MessageLog& operator=(const MessageLog&) = delete;

  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    char message[1024];
    std::vsnprintf(message, sizeof message, format, arguments);
    const std::string line =
        fmt::format("{:%FT%TZ} {}\n", fmt::gmtime(std::chrono::system_clock::now()), message);
    absl::MutexLock lock(&mutex_);
    std::fwrite(line.data(), 1, line.size(), file_);
    std::fflush(file_);
    bytes_ += line.size();
  }
  size_t GetLogFileSize() const override {
    absl::MutexLock lock(&mutex_);
    return bytes_;
  }

 private:
  mutable absl::Mutex mutex_;
  std::FILE* const file_;
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace

std::shared_ptr<rocksdb::Logger> OpenMessageLog(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "ae");
  return file == nullptr ? nullptr : std::make_shared<MessageLog>(file);
}

}  // namespace freqstore
