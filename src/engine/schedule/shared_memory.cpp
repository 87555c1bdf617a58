// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/shared_memory.h"

#include <atomic>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace heddle::engine {
namespace {

constexpr size_t page = 4096;
constexpr size_t kept_mappings = 8;

struct Mapping {
  char *start;
  size_t bytes; // without the inaccessible page
};

void unmap(const Mapping &mapping) { munmap(mapping.start, mapping.bytes + page); }

// At thread exit, blocks kept by the thread may be destroyed after its pool: this stays readable.
thread_local bool pool_has_ended = false;

// Free mappings of this thread.
struct Pool {
  std::vector<Mapping> free;
  ~Pool() {
    pool_has_ended = true;
    for (const Mapping &mapping : free)
      unmap(mapping);
  }
};
thread_local Pool pool;

char *map(size_t bytes) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#ifdef MAP_32BIT
  void *memory = mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, flags | MAP_32BIT, -1, 0);
#else
  static std::atomic<uintptr_t> hint{0x10000000};
  void *memory = MAP_FAILED;
  for (int attempt = 0; attempt < 4096 && memory == MAP_FAILED; ++attempt)
    memory = mmap(reinterpret_cast<void *>(hint.fetch_add(bytes + page)), bytes + page,
                  PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0);
#endif
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mprotect(static_cast<char *>(memory) + bytes, page, PROT_NONE);
  return static_cast<char *>(memory);
}

} // namespace

SharedMemory::SharedMemory(size_t bytes) : bytes_((bytes + page - 1) / page * page) {
  for (auto mapping = pool.free.begin(); mapping != pool.free.end(); ++mapping)
    if (mapping->bytes >= bytes_) {
      start_ = mapping->start;
      bytes_ = mapping->bytes;
      pool.free.erase(mapping);
      return;
    }
  start_ = map(bytes_);
}

SharedMemory::~SharedMemory() {
  if (!pool_has_ended && pool.free.size() < kept_mappings)
    pool.free.push_back({start_, bytes_});
  else
    unmap({start_, bytes_});
}

} // namespace heddle::engine
