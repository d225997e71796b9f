// Tells ThreadSanitizer about absl::Mutex and absl::CondVar.
//
// Debian's Abseil is built without ThreadSanitizer, which therefore sees no order between the holders of a
// mutex and reports everything that one guards. The linker routes the calls through the functions below
// (--wrap, see CMakeLists.txt), which announce them. What Abseil does in between, such as evaluating another
// thread's condition, is ignored: it happens with the mutex held.
#include <sanitizer/tsan_interface.h>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace {

constexpr unsigned kRead = __tsan_mutex_read_lock;

void Unlocking(absl::Mutex* mutex, unsigned flags = 0) {
  __tsan_mutex_pre_unlock(mutex, flags);
}
void Unlocked(absl::Mutex* mutex, unsigned flags = 0) {
  __tsan_mutex_post_unlock(mutex, flags);
}
void Locking(absl::Mutex* mutex, unsigned flags = 0) {
  __tsan_mutex_pre_lock(mutex, flags);
}
void Locked(absl::Mutex* mutex, unsigned flags = 0) {
  __tsan_mutex_post_lock(mutex, flags, 0);
}

/// Runs a wait that gives the mutex up and takes it again.
template <typename Wait>
auto AroundWait(absl::Mutex* mutex, Wait wait) {
  struct Regain {
    absl::Mutex* mutex;
    ~Regain() {
      Unlocked(mutex);
      Locking(mutex);
      Locked(mutex);
    }
  };
  Unlocking(mutex);
  const Regain regain{mutex};
  return wait();
}

}  // namespace

// The names are what --wrap prescribes: __real_ and __wrap_ before the function's mangled name.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
#define ABSL_NAME(prefix, name) prefix##_ZN4absl7debian3##name

extern "C" {

void ABSL_NAME(__real_, 5Mutex4LockEv)(absl::Mutex* mutex);
void ABSL_NAME(__wrap_, 5Mutex4LockEv)(absl::Mutex* mutex) {
  Locking(mutex);
  ABSL_NAME(__real_, 5Mutex4LockEv)(mutex);
  Locked(mutex);
}

void ABSL_NAME(__real_, 5Mutex6UnlockEv)(absl::Mutex* mutex);
void ABSL_NAME(__wrap_, 5Mutex6UnlockEv)(absl::Mutex* mutex) {
  Unlocking(mutex);
  ABSL_NAME(__real_, 5Mutex6UnlockEv)(mutex);
  Unlocked(mutex);
}

bool ABSL_NAME(__real_, 5Mutex7TryLockEv)(absl::Mutex* mutex);
bool ABSL_NAME(__wrap_, 5Mutex7TryLockEv)(absl::Mutex* mutex) {
  Locking(mutex, __tsan_mutex_try_lock);
  const bool locked = ABSL_NAME(__real_, 5Mutex7TryLockEv)(mutex);
  Locked(mutex, locked ? __tsan_mutex_try_lock : __tsan_mutex_try_lock | __tsan_mutex_try_lock_failed);
  return locked;
}

void ABSL_NAME(__real_, 5Mutex10ReaderLockEv)(absl::Mutex* mutex);
void ABSL_NAME(__wrap_, 5Mutex10ReaderLockEv)(absl::Mutex* mutex) {
  Locking(mutex, kRead);
  ABSL_NAME(__real_, 5Mutex10ReaderLockEv)(mutex);
  Locked(mutex, kRead);
}

void ABSL_NAME(__real_, 5Mutex12ReaderUnlockEv)(absl::Mutex* mutex);
void ABSL_NAME(__wrap_, 5Mutex12ReaderUnlockEv)(absl::Mutex* mutex) {
  Unlocking(mutex, kRead);
  ABSL_NAME(__real_, 5Mutex12ReaderUnlockEv)(mutex);
  Unlocked(mutex, kRead);
}

void ABSL_NAME(__real_, 5MutexD1Ev)(absl::Mutex* mutex);
void ABSL_NAME(__wrap_, 5MutexD1Ev)(absl::Mutex* mutex) {
  ABSL_NAME(__real_, 5MutexD1Ev)(mutex);
  __tsan_mutex_destroy(mutex, 0);
}

void ABSL_NAME(__real_, 5Mutex5AwaitERKNS0_9ConditionE)(absl::Mutex* mutex, const absl::Condition& condition);
void ABSL_NAME(__wrap_, 5Mutex5AwaitERKNS0_9ConditionE)(absl::Mutex* mutex,
                                                        const absl::Condition& condition) {
  AroundWait(mutex, [&] { ABSL_NAME(__real_, 5Mutex5AwaitERKNS0_9ConditionE)(mutex, condition); });
}

bool ABSL_NAME(__real_,
               5Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE)(absl::Mutex* mutex,
                                                                         const absl::Condition& condition,
                                                                         absl::Duration timeout);
bool ABSL_NAME(__wrap_,
               5Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE)(absl::Mutex* mutex,
                                                                         const absl::Condition& condition,
                                                                         absl::Duration timeout) {
  return AroundWait(mutex, [&] {
    return ABSL_NAME(__real_, 5Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE)(mutex, condition,
                                                                                        timeout);
  });
}

void ABSL_NAME(__real_, 5Mutex8LockWhenERKNS0_9ConditionE)(absl::Mutex* mutex,
                                                           const absl::Condition& condition);
void ABSL_NAME(__wrap_, 5Mutex8LockWhenERKNS0_9ConditionE)(absl::Mutex* mutex,
                                                           const absl::Condition& condition) {
  Locking(mutex);
  ABSL_NAME(__real_, 5Mutex8LockWhenERKNS0_9ConditionE)(mutex, condition);
  Locked(mutex);
}

void ABSL_NAME(__real_, 7CondVar4WaitEPNS0_5MutexE)(absl::CondVar* changed, absl::Mutex* mutex);
void ABSL_NAME(__wrap_, 7CondVar4WaitEPNS0_5MutexE)(absl::CondVar* changed, absl::Mutex* mutex) {
  AroundWait(mutex, [&] { ABSL_NAME(__real_, 7CondVar4WaitEPNS0_5MutexE)(changed, mutex); });
}

bool ABSL_NAME(__real_, 7CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE)(absl::CondVar* changed,
                                                                              absl::Mutex* mutex,
                                                                              absl::Duration timeout);
bool ABSL_NAME(__wrap_, 7CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE)(absl::CondVar* changed,
                                                                              absl::Mutex* mutex,
                                                                              absl::Duration timeout) {
  return AroundWait(mutex, [&] {
    return ABSL_NAME(__real_, 7CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE)(changed, mutex, timeout);
  });
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
