// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/host_guard.h"

#include "engine/fault.h"
#include "engine/observe/observer.h"

#include <map>
#include <mutex>
#include <sys/mman.h>

namespace heddle::engine::observe {
namespace {

constexpr uintptr_t page = 4096;
// Each is a call of the operating system before and after work; further ones stay accessible.
constexpr size_t most_ranges = 256;

// Two signals each, a few microseconds; later on, a page stays accessible until work ends.
constexpr int most_steps = 10000;

struct Guard {
  std::mutex mutex;
  std::map<uintptr_t, size_t> ranges; // in whole pages; bytes by start
  int open = 0;                       // OpenToHost objects
  int steps = 0;                      // that have been asked for
};

Guard &guard() {
  static auto *one = new Guard; // outlives the program's static objects
  return *one;
}

bool isOn() { return observer && observer->guardsDevices(); }

// Where the operating system has no room for another mapping, an access goes unnoticed.
bool setAccess(uintptr_t start, size_t bytes, bool accessible) {
  return mprotect(reinterpret_cast<void *>(start), bytes,
                  accessible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

void setAll(const Guard &all, bool accessible) {
  for (auto range = all.ranges.begin(); range != all.ranges.end();) {
    const uintptr_t start = range->first;
    uintptr_t end = start;
    for (; range != all.ranges.end() && range->first == end; ++range)
      end += range->second;
    setAccess(start, end - start, accessible);
  }
}

} // namespace

void guardPages(uintptr_t start, size_t bytes) {
  if (!isOn())
    return;
  static std::once_flag once;
  std::call_once(once, installHandlers);
  std::lock_guard lock(guard().mutex);
  if (guard().ranges.size() == most_ranges)
    return;
  guard().ranges[start] = bytes;
  if (guard().open == 0)
    setAccess(start, bytes, false);
}

void forgetPages(uintptr_t start, size_t bytes) {
  if (!isOn())
    return;
  std::lock_guard lock(guard().mutex);
  auto &ranges = guard().ranges;
  ranges.erase(ranges.lower_bound(start), ranges.lower_bound(start + bytes));
}

OpenToHost::OpenToHost() {
  if (!isOn())
    return;
  std::lock_guard lock(guard().mutex);
  if (guard().open++ == 0)
    setAll(guard(), true);
}

OpenToHost::~OpenToHost() {
  if (!isOn())
    return;
  std::lock_guard lock(guard().mutex);
  if (--guard().open == 0)
    setAll(guard(), false);
}

bool openAfterFault(uintptr_t address, uintptr_t code, bool writes, bool &step) {
  if (!isOn())
    return false;
  {
    std::lock_guard lock(guard().mutex);
    auto range = guard().ranges.upper_bound(address);
    if (range == guard().ranges.begin() ||
        address - std::prev(range)->first >= std::prev(range)->second)
      return false;
    if (!setAccess(address / page * page, page, true))
      return false;
    if (guard().open) // meanwhile
      return true;
    step = guard().steps < most_steps;
    guard().steps += step;
  }
  observer->hostAccess({reinterpret_cast<const void *>(address), writes, code});
  return true;
}

void closeAfterStep(uintptr_t address) {
  std::lock_guard lock(guard().mutex);
  if (guard().open == 0)
    setAccess(address / page * page, page, false);
}

} // namespace heddle::engine::observe
