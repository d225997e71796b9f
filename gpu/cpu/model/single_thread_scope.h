// Keeps oneDNN on the calling thread.
#pragma once

namespace freqstore {

/// oneDNN runs its primitives on an OpenMP team. The size of the team is a setting of the calling thread:
/// this makes it one, and puts back what it was. Both creating and running primitives has to happen inside of
/// such a scope.
class SingleThreadScope {
 public:
  SingleThreadScope();
  ~SingleThreadScope();
  SingleThreadScope(const SingleThreadScope&) = delete;
  SingleThreadScope& operator=(const SingleThreadScope&) = delete;

 private:
  int threads_before_;
};

}  // namespace freqstore
