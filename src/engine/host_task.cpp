// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/host_task.h"

#include "engine/float_environment.h"
#include "engine/loaded_object.h"
#include "engine/observe/observer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

namespace heddle::engine {
namespace {

// The signal handler reads all of this: plain atomics, nothing that allocates or locks.
struct Range {
  std::atomic<uintptr_t> start = 0;
  std::atomic<size_t> size = 0;
};
std::array<Range, 128> device_ranges;
std::array<Range, 1 << 14> lent;
std::atomic<size_t> lent_count = 0;

std::atomic<int> running = 0;               // tasks
std::atomic<uintptr_t> foreign_address = 0; // the last fault of a library's own threads …
std::atomic<uint64_t> foreign_faults = 0;   // … and how many there were
thread_local uintptr_t own_address = 0;     // the first fault of the task on this thread
thread_local bool own_fault = false;
std::mutex giving_back;

// Linux keeps the lowest addresses inaccessible, so that null pointers fault.
constexpr uintptr_t lowest = 64 << 10;
constexpr size_t sizes[] = {1 << 20, 64 << 10, 4 << 10}; // what is lent at once, if there is room

bool inDeviceRange(uintptr_t address) {
  return std::any_of(device_ranges.begin(), device_ranges.end(), [&](const Range &range) {
    return address - range.start.load() < range.size.load();
  });
}

/// Whether the code belongs to a library that computes for CUDA's, so that one of its threads may
/// run it: OpenBLAS's and OpenMP's threads are not started by the task.
bool isLibraryCode(uintptr_t code) {
  const char *path = loadedObject(code);
  if (!path)
    return true; // oneDNN's own code generator
  const char *slash = std::strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  constexpr const char *names[] = {"libopenblas",  "libscipy_openblas", "libdnnl",
                                   "libgomp",      "libheddlefft",      "libheddlednn",
                                   "libheddle_cu", "libheddle_npp",     "libcudnn",
                                   "libcusparse",  "libnccl",           "libcurand"};
  return std::any_of(std::begin(names), std::end(names),
                     [&](const char *start) { return !std::strncmp(name, start, strlen(start)); });
}

bool lendAt(uintptr_t address, size_t size) {
  const uintptr_t start = address & ~(size - 1);
  if (start < lowest)
    return false;
  const size_t place = lent_count.fetch_add(1);
  if (place >= lent.size())
    return false;
  void *const wanted = reinterpret_cast<void *>(start);
  void *const memory =
      mmap(wanted, size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  if (memory != wanted) { // a kernel that does not know MAP_FIXED_NOREPLACE
    munmap(memory, size);
    return false;
  }
  lent[place].start = start;
  lent[place].size = size;
  return true;
}

void giveBack() {
  const std::lock_guard lock(giving_back);
  if (running.load() != 0)
    return;
  const size_t count = std::min(lent_count.load(), lent.size());
  for (size_t i = 0; i < count; ++i)
    if (const size_t size = lent[i].size.exchange(0))
      munmap(reinterpret_cast<void *>(lent[i].start.load()), size);
  lent_count = 0;
}

} // namespace

bool lendMemory(uintptr_t address, uintptr_t code, bool own) {
  if (running.load() == 0 || (!own && !isLibraryCode(code)))
    return false;
  if (inDeviceRange(address)) {
    const uintptr_t page = address & ~uintptr_t(4095);
    if (mprotect(reinterpret_cast<void *>(page), 4096, PROT_READ | PROT_WRITE) != 0)
      return false;
  } else if (std::none_of(std::begin(sizes), std::end(sizes),
                          [&](size_t size) { return lendAt(address, size); })) {
    return false;
  }
  if (!own) {
    foreign_address = address;
    ++foreign_faults;
  } else if (!own_fault) {
    own_fault = true;
    own_address = address;
  }
  return true;
}

bool runHostTask(void (*body)(void *), void *argument, RawFault &fault) {
  const DeviceFloatEnvironment environment;
  {
    const std::lock_guard lock(giving_back);
    ++running;
  }
  own_fault = false;
  const uint64_t before = foreign_faults.load();
  bool good = runProtected(body, argument, fault, true);
  if (good && (own_fault || foreign_faults.load() != before)) {
    fault = {};
    fault.address = reinterpret_cast<void *>(own_fault ? own_address : foreign_address.load());
    good = false;
  }
  if (--running == 0 && lent_count.load() != 0)
    giveBack();
  if (observe::observer)
    observe::observer->writtenAnywhere();
  return good;
}

void addDeviceRange(uintptr_t start, size_t size) {
  for (Range &range : device_ranges) {
    uintptr_t none = 0;
    if (range.start.compare_exchange_strong(none, start)) {
      range.size = size;
      return;
    }
  }
}

void forgetDeviceRange(uintptr_t start) {
  for (Range &range : device_ranges)
    if (range.start.load() == start) {
      range.size = 0;
      range.start = 0;
    }
}

} // namespace heddle::engine
