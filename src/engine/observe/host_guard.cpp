// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/host_guard.h"

#include "engine/fault.h"
#include "engine/observe/observer.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace heddle::engine::observe {
namespace {

constexpr uintptr_t page = 4096;
// Each is a call of the operating system before and after work; further ones stay accessible.
constexpr size_t most_ranges = 256;

// Two signals each, a few microseconds; later on, a page stays accessible until work ends.
constexpr int most_steps = 10000;

struct Guard {
  std::mutex mutex;
  std::map<uintptr_t, size_t> ranges; // of devices, in whole pages; bytes by start
  std::vector<ClosedPages> closed;    // that the observer has named
  uint64_t openings = 0;              // how often they have been made accessible
  int open = 0;                       // OpenToHost objects
  int steps = 0;                      // that have been asked for

  bool isOfDevice(uintptr_t address) const {
    const auto next = ranges.upper_bound(address);
    return next != ranges.begin() && address - std::prev(next)->first < std::prev(next)->second;
  }
  const ClosedPages *findClosed(uintptr_t address) const {
    const auto found = std::find_if(closed.begin(), closed.end(), [&](const ClosedPages &pages) {
      return address >= pages.begin && address < pages.end;
    });
    return found == closed.end() ? nullptr : &*found;
  }
};

Guard &guard() {
  static auto *one = new Guard; // outlives the program's static objects
  return *one;
}

bool isOn() { return observer && observer->guardsDevices(); }

// Where the operating system has no room for another mapping, an access goes unnoticed.
bool protect(uintptr_t start, size_t bytes, int protection) {
  return mprotect(reinterpret_cast<void *>(start), bytes, protection) == 0;
}

bool setAccess(uintptr_t start, size_t bytes, bool accessible) {
  return protect(start, bytes, accessible ? PROT_READ | PROT_WRITE : PROT_NONE);
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

// ---- Pages that the observer names ----

void openClosed(Guard &all) {
  all.openings += !all.closed.empty();
  for (const ClosedPages &pages : all.closed)
    setAccess(pages.begin, pages.end - pages.begin, true);
}

void closeAs(const ClosedPages &pages, uintptr_t begin, uintptr_t end) {
  protect(begin, end - begin, pages.readable ? PROT_READ : PROT_NONE);
}

// A forked process has pages of its own, which no work accesses.
void openInChild() {
  openClosed(guard());
  guard().closed.clear();
  guard().mutex.unlock();
}

// Whether the page that this instruction could not access may have become accessible since, by
// another thread. If it has not, the instruction faults again, with no opening in between.
bool mayHaveOpened(uintptr_t address, uintptr_t code) {
  struct Fault {
    uintptr_t address, code;
    uint64_t openings;
    bool operator==(const Fault &) const = default;
  };
  thread_local Fault last{};
  const Fault now{address, code, guard().openings};
  return now.openings && std::exchange(last, now) != now;
}

// A program that handles signals itself would take an access for a mistake.
bool mayClose() {
  static std::once_flag once;
  std::call_once(once, [] {
    installHandlers();
    pthread_atfork([] { guard().mutex.lock(); }, [] { guard().mutex.unlock(); }, openInChild);
  });
  return handlersAreInstalled();
}

// All pages are open.
void closeNamed(Guard &all) {
  all.closed = observer->closedToHost(most_ranges);
  if (!all.closed.empty() && !mayClose())
    all.closed.clear();
  for (const ClosedPages &pages : all.closed)
    closeAs(pages, pages.begin, pages.end);
}

} // namespace

void refreshClosedPages() {
  if (!isOn())
    return;
  std::lock_guard lock(guard().mutex);
  if (guard().open || guard().closed.empty())
    return;
  openClosed(guard());
  closeNamed(guard());
}

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

void OpenToHost::open() {
  if (!isOn())
    return;
  std::lock_guard lock(guard().mutex);
  if (guard().open++ > 0)
    return;
  setAll(guard(), true);
  openClosed(guard());
}

void OpenToHost::close() {
  if (!isOn())
    return;
  std::lock_guard lock(guard().mutex);
  if (--guard().open > 0)
    return;
  setAll(guard(), false);
  closeNamed(guard());
}

bool openAfterFault(uintptr_t address, uintptr_t code, bool writes, bool &step) {
  if (!isOn())
    return false;
  bool of_device = false;
  {
    std::lock_guard lock(guard().mutex);
    of_device = guard().isOfDevice(address);
    if (!of_device && !guard().findClosed(address))
      return mayHaveOpened(address, code);
    if (!setAccess(address / page * page, page, true))
      return false;
    if (guard().open) // meanwhile
      return true;
    step = guard().steps < most_steps;
    guard().steps += step;
  }
  const HostAccess access{reinterpret_cast<const void *>(address), writes, code};
  if (of_device)
    observer->hostAccess(access);
  else
    observer->hostTouches(access);
  return true;
}

void closeAfterStep(uintptr_t address) {
  std::lock_guard lock(guard().mutex);
  if (guard().open)
    return;
  const uintptr_t start = address / page * page;
  if (const ClosedPages *pages = guard().findClosed(address))
    closeAs(*pages, start, start + page);
  else if (guard().isOfDevice(address))
    setAccess(start, page, false);
}

} // namespace heddle::engine::observe
