// File operations that fail when a test says so: a shared library that stands before libc, by LD_PRELOAD or
// by being linked to.
//
// The variable FREQSTORE_FAULTS names a control file, which may change at any time; without it, or while
// there is no such file, nothing fails. Each line of it is one fault:
//
//     ERRNO CALLS AFTER TIMES PATH
//
// ERRNO: ENOSPC, EIO, EROFS or EDQUOT. CALLS, with commas between: write (and pwrite), tear (a write that
// puts half of its bytes on disk and then fails), sync (fsync, fdatasync), open (for
// writing), allocate, rename, truncate. The fault is for files with PATH in their path; it lets AFTER such
// calls pass, then fails TIMES of them, or all if TIMES is -1. Counts begin anew when the control file
// changes.

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <unistd.h>
#include <vector>

#include <sys/stat.h>

namespace {

struct Fault {
  int error;
  std::string calls;
  long after;
  long times;
  std::string path;
};

template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int ErrorOf(const std::string& name) {
  if (name == "ENOSPC") return ENOSPC;
  if (name == "EROFS") return EROFS;
  if (name == "EDQUOT") return EDQUOT;
  return EIO;
}

class Faults {
 public:
  /// The error that this call shall fail with; 0 if none.
  int Of(const char* call, const std::string& path) {
    const std::lock_guard lock(mutex_);
    Refresh();
    for (Fault& fault : faults_) {
      if (fault.calls.find(call) == std::string::npos) continue;  // no name is part of another
      if (path.find(fault.path) == std::string::npos) continue;
      if (fault.after > 0) {
        --fault.after;
        continue;
      }
      if (fault.times == 0) continue;
      if (fault.times > 0) --fault.times;
      return fault.error;
    }
    return 0;
  }

 private:
  void Refresh() {
    const char* control = std::getenv("FREQSTORE_FAULTS");
    struct stat now {};
    if (control == nullptr || stat(control, &now) != 0) {
      faults_.clear();
      seen_ = {};
      return;
    }
    if (now.st_ino == seen_.st_ino && now.st_size == seen_.st_size &&
        now.st_mtim.tv_sec == seen_.st_mtim.tv_sec && now.st_mtim.tv_nsec == seen_.st_mtim.tv_nsec) {
      return;
    }
    seen_ = now;
    faults_.clear();
    std::FILE* file = std::fopen(control, "re");
    if (file == nullptr) return;
    char error[16];
    char calls[128];
    char path[1024];
    Fault fault{};
    while (std::fscanf(file, "%15s %127s %ld %ld %1023s", error, calls, &fault.after, &fault.times, path) ==
           5) {
      fault.error = ErrorOf(error);
      fault.calls = calls;
      fault.path = path;
      faults_.push_back(fault);
    }
    std::fclose(file);
  }

  std::mutex mutex_;
  struct stat seen_ {};
  std::vector<Fault> faults_;
};

bool Fails(const char* call, const std::string& path) {
  if (std::getenv("FREQSTORE_FAULTS") == nullptr) return false;
  static Faults* const faults = new Faults;  // outlives every thread
  const int error = faults->Of(call, path);
  if (error != 0) errno = error;
  return error != 0;
}

bool Fails(const char* call, int descriptor) {
  if (std::getenv("FREQSTORE_FAULTS") == nullptr) return false;
  char path[1024];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), path, sizeof path);
  return length > 0 && path[0] == '/' && Fails(call, std::string(path, static_cast<size_t>(length)));
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t count) {
  using Function = ssize_t (*)(int, const void*, size_t);
  static const auto next = Next<Function>("write");
  if (Fails("write", descriptor)) return -1;
  if (Fails("tear", descriptor)) {
    const int error = errno;
    next(descriptor, bytes, count / 2);
    errno = error;
    return -1;
  }
  return next(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  static const auto next = Next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  return Fails("write", descriptor) ? -1 : next(descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
  static const auto next = Next<int (*)(int)>("fsync");
  return Fails("sync", descriptor) ? -1 : next(descriptor);
}

int fdatasync(int descriptor) {
  static const auto next = Next<int (*)(int)>("fdatasync");
  return Fails("sync", descriptor) ? -1 : next(descriptor);
}

int fallocate(int descriptor, int mode, off_t offset, off_t count) {
  static const auto next = Next<int (*)(int, int, off_t, off_t)>("fallocate");
  return Fails("allocate", descriptor) ? -1 : next(descriptor, mode, offset, count);
}

int ftruncate(int descriptor, off_t size) noexcept {
  static const auto next = Next<int (*)(int, off_t)>("ftruncate");
  return Fails("truncate", descriptor) ? -1 : next(descriptor, size);
}

int rename(const char* from, const char* to) noexcept {
  static const auto next = Next<int (*)(const char*, const char*)>("rename");
  return Fails("rename", std::string(to)) ? -1 : next(from, to);
}

int open(const char* path, int flags, ...) {
  static const auto next = Next<int (*)(const char*, int, mode_t)>("open");
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  return writes && Fails("open", std::string(path)) ? -1 : next(path, flags, mode);
}

}  // extern "C"
