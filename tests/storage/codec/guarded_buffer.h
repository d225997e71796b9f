// Memory that ends at a page which may not be touched: an access beyond it ends the test, in any build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <sys/mman.h>

namespace freqstore::testutil {

class GuardedBuffer {
 public:
  explicit GuardedBuffer(size_t size) : size_(size) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t usable = (size + page - 1) / page * page;
    mapped_bytes_ = usable + page;
    void* map = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(map != MAP_FAILED);
    map_ = static_cast<uint8_t*>(map);
    REQUIRE(mprotect(map_ + usable, page, PROT_NONE) == 0);
    data_ = map_ + usable - size;
  }
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;
  ~GuardedBuffer() { munmap(map_, mapped_bytes_); }

  uint8_t* data() { return data_; }
  size_t size() const { return size_; }

 private:
  size_t size_;
  size_t mapped_bytes_ = 0;
  uint8_t* map_ = nullptr;
  uint8_t* data_ = nullptr;
};

}  // namespace freqstore::testutil
