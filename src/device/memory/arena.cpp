// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/memory/arena.h"

#include "engine/host_task.h"
#include "engine/observe/host_guard.h"

#include "device/interprocess/shared_file.h"

#include <algorithm>
#include <cstdint>
#include <fcntl.h>
#include <list>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>

namespace heddle {
namespace {

constexpr size_t page = 4096;
constexpr size_t chunk = size_t(2) << 20; // also the size of a huge page
// Allocations up to this size share chunks; larger ones get pages of their own, which become
// inaccessible when they are freed.
constexpr size_t largest_shared = size_t(256) << 10;
constexpr size_t guard = 64 << 10;
constexpr size_t most_kept = size_t(256) << 20; // of freed allocations' memory

size_t roundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

size_t slackOf(size_t bytes) {
  if (bytes < page)
    return 512;
  return bytes < chunk / 2 ? page : 64 << 10;
}

/// Free address ranges: best fit, coalescing.
class FreeRanges {
public:
  /// The lowest address of a removed range of `size` bytes aligned to `align`, or 0.
  uintptr_t take(size_t size, size_t align) {
    for (auto it = by_size.lower_bound({size, 0}); it != by_size.end(); ++it) {
      auto [length, start] = *it;
      uintptr_t aligned = roundUp(start, align);
      if (aligned + size > start + length)
        continue;
      erase(start, length);
      if (aligned > start)
        insert(start, aligned - start);
      if (start + length > aligned + size)
        insert(aligned + size, start + length - aligned - size);
      return aligned;
    }
    return 0;
  }

  /// Adds a range; returns the maximal free range that it became part of.
  std::pair<uintptr_t, size_t> give(uintptr_t start, size_t size) {
    auto next = by_start.lower_bound(start);
    if (next != by_start.end() && start + size == next->first) {
      size += next->second;
      erase(next->first, next->second);
    }
    auto previous = by_start.lower_bound(start);
    if (previous != by_start.begin()) {
      --previous;
      if (previous->first + previous->second == start) {
        auto [before, length] = *previous;
        erase(before, length);
        start = before;
        size += length;
      }
    }
    insert(start, size);
    return {start, size};
  }

  /// Removes [start, start + size), which lies in the free range [from, from + length).
  void cut(uintptr_t start, size_t size, uintptr_t from, size_t length) {
    erase(from, length);
    if (start > from)
      insert(from, start - from);
    if (from + length > start + size)
      insert(start + size, from + length - start - size);
  }

  void clear() {
    by_start.clear();
    by_size.clear();
  }

private:
  std::map<uintptr_t, size_t> by_start;
  std::set<std::pair<size_t, uintptr_t>> by_size;

  void insert(uintptr_t start, size_t size) {
    by_start.emplace(start, size);
    by_size.emplace(size, start);
  }
  void erase(uintptr_t start, size_t size) {
    by_start.erase(start);
    by_size.erase({size, start});
  }
};

bool commitPages(uintptr_t start, size_t size) {
  void *memory = reinterpret_cast<void *>(start);
  if (mprotect(memory, size, PROT_READ | PROT_WRITE) != 0)
    return false;
  if (size >= chunk)
    madvise(memory, size, MADV_HUGEPAGE); // only a hint
  return true;
}

/// Gives the pages back to the host and makes them inaccessible. Mapping afresh, rather than
/// mprotect, also returns the commit charge.
void decommitPages(uintptr_t start, size_t size) {
  // If the kernel has no room for another mapping, the memory just stays.
  (void)mmap(reinterpret_cast<void *>(start), size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

bool setAccess(uintptr_t start, size_t size, int protection) {
  return mprotect(reinterpret_cast<void *>(start), size, protection) == 0;
}

} // namespace

struct Arena::State {
  std::mutex mutex;
  uintptr_t base = 0;
  size_t size = 0;
  FreeRanges pages;  // not committed; in whole pages
  FreeRanges shared; // committed; within chunks
  size_t chunks = 0;
  bool guarded = false;
  struct Block {
    size_t committed; // bytes from the start that have memory
    size_t occupied;
    bool own_pages;
  };
  std::unordered_map<uintptr_t, Block> live;
  // Freed, inaccessible, with their memory; oldest first.
  std::list<std::pair<uintptr_t, Block>> kept;
  size_t kept_bytes = 0;
  int file = -1; // what other processes map; as large as the range, mostly holes
  std::set<uintptr_t> pages_in_file; // those whose memory is the file's

  uintptr_t allocateShared(size_t bytes, size_t align);
  uintptr_t takePages(size_t bytes, size_t occupied);
  uintptr_t reservePages(size_t bytes);
  uintptr_t allocatePages(size_t bytes);
  uintptr_t takeKept(size_t bytes);
  void keep(uintptr_t start, const Block &block);
  bool dropOldest(); // of the kept ones; false if there is none
  void giveBack(uintptr_t start, const Block &block);
  bool moveToFile(uintptr_t start, size_t size);
  void decommit(uintptr_t start, size_t size);
  void hide(uintptr_t start, size_t size) const {
    if (guarded)
      engine::observe::guardPages(start, size);
  }
  void forget(uintptr_t start, size_t size) const {
    if (guarded)
      engine::observe::forgetPages(start, size);
  }
};

/// Gives the pages back, those of a file's too.
void Arena::State::decommit(uintptr_t start, size_t size) {
  forget(start, size);
  decommitPages(start, size);
  auto first = pages_in_file.lower_bound(start), end = pages_in_file.lower_bound(start + size);
  if (first == end)
    return;
  pages_in_file.erase(first, end);
  (void)fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(start - base),
                  off_t(size));
}

bool Arena::State::moveToFile(uintptr_t start, size_t size) {
  void *memory = reinterpret_cast<void *>(start);
  const off_t offset = off_t(start - base);
  for (size_t done = 0; done < size;) {
    const ssize_t written =
        pwrite(file, reinterpret_cast<char *>(start) + done, size - done, offset + off_t(done));
    if (written <= 0)
      return false;
    done += size_t(written);
  }
  if (mmap(memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, offset) ==
      MAP_FAILED)
    return false;
  for (uintptr_t at = start; at < start + size; at += page)
    pages_in_file.insert(at);
  return true;
}

uintptr_t Arena::State::allocateShared(size_t bytes, size_t align) {
  size_t occupied = roundUp(bytes + slackOf(bytes), align);
  uintptr_t start = shared.take(occupied, align);
  if (!start) {
    uintptr_t fresh = pages.take(chunk, chunk);
    if (!fresh)
      return 0;
    if (!commitPages(fresh, chunk)) {
      pages.give(fresh, chunk);
      return 0;
    }
    ++chunks;
    hide(fresh, chunk);
    shared.give(fresh, chunk);
    start = shared.take(occupied, align);
  }
  live[start] = {0, occupied, false};
  return start;
}

// The newest kept allocation that is large enough, but not by much.
uintptr_t Arena::State::takeKept(size_t bytes) {
  for (auto it = kept.end(); it != kept.begin();) {
    const auto [start, block] = *--it;
    if (block.committed < bytes || block.committed / 2 > bytes)
      continue;
    kept_bytes -= block.committed;
    kept.erase(it);
    if (!setAccess(start, bytes, PROT_READ | PROT_WRITE)) {
      giveBack(start, block);
      return 0;
    }
    live[start] = block;
    hide(start, bytes);
    return start;
  }
  return 0;
}

void Arena::State::keep(uintptr_t start, const Block &block) {
  // What other processes may still have mapped is not for the next allocation.
  if (block.own_pages)
    forget(start, block.committed);
  const bool exported = pages_in_file.contains(start);
  if (!block.own_pages || exported || block.committed > most_kept ||
      !setAccess(start, block.committed, PROT_NONE)) {
    giveBack(start, block);
    return;
  }
  kept.emplace_back(start, block);
  kept_bytes += block.committed;
  while (kept_bytes > most_kept)
    dropOldest();
}

bool Arena::State::dropOldest() {
  if (kept.empty())
    return false;
  const auto [start, block] = kept.front();
  kept.pop_front();
  kept_bytes -= block.committed;
  giveBack(start, block);
  return true;
}

uintptr_t Arena::State::takePages(size_t bytes, size_t occupied) {
  const size_t align = bytes >= chunk ? chunk : page;
  uintptr_t start = pages.take(occupied, align);
  for (; !start; start = pages.take(occupied, align))
    if (!dropOldest())
      return 0;
  return start;
}

uintptr_t Arena::State::reservePages(size_t bytes) {
  const size_t committed = roundUp(bytes + slackOf(bytes), page), occupied = committed + guard;
  const uintptr_t start = takePages(bytes, occupied);
  if (start)
    live[start] = {committed, occupied, true};
  return start;
}

uintptr_t Arena::State::allocatePages(size_t bytes) {
  size_t committed = roundUp(bytes + slackOf(bytes), page);
  if (const uintptr_t start = takeKept(committed))
    return start;
  size_t occupied = committed + guard;
  const uintptr_t start = takePages(bytes, occupied);
  if (!start)
    return 0;
  while (!commitPages(start, committed))
    if (!dropOldest()) {
      pages.give(start, occupied);
      return 0;
    }
  live[start] = {committed, occupied, true};
  hide(start, committed);
  return start;
}

void Arena::State::giveBack(uintptr_t start, const Block &block) {
  if (block.own_pages) {
    decommit(start, block.committed);
    pages.give(start, block.occupied);
    return;
  }
  auto [from, length] = shared.give(start, block.occupied);
  // Chunks that have become free go back, but for the last, so that a program that allocates and
  // frees one small block again and again does not map and unmap each time.
  uintptr_t first = roundUp(from, chunk), end = (from + length) / chunk * chunk;
  while (first < end && chunks > 1) {
    shared.cut(first, chunk, from, length);
    decommit(first, chunk);
    pages.give(first, chunk);
    --chunks;
    length -= first + chunk - from;
    from = first += chunk;
  }
}

Arena::Arena(size_t capacity) : state(std::make_unique<State>()) {
  // Twice the capacity, for slack, guards and fragments.
  state->size = roundUp(capacity * 2 + (size_t(256) << 20), chunk) + chunk;
  void *memory = mmap(nullptr, state->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  state->base = reinterpret_cast<uintptr_t>(memory);
  state->pages.give(state->base, state->size);
  engine::addDeviceRange(state->base, state->size);
}

Arena::~Arena() {
  engine::forgetDeviceRange(state->base);
  state->forget(state->base, state->size);
  munmap(reinterpret_cast<void *>(state->base), state->size);
  if (state->file >= 0)
    close(state->file);
}

void Arena::guardFromHost() { state->guarded = true; }

void *Arena::allocate(size_t bytes, bool own_pages) {
  if (bytes >= state->size)
    return nullptr;
  std::lock_guard lock(state->mutex);
  uintptr_t start = bytes <= largest_shared
                        ? state->allocateShared(bytes, own_pages ? page : alignment)
                        : state->allocatePages(bytes);
  return reinterpret_cast<void *>(start);
}

void *Arena::reserve(size_t bytes) {
  if (bytes >= state->size)
    return nullptr;
  std::lock_guard lock(state->mutex);
  return reinterpret_cast<void *>(state->reservePages(bytes));
}

bool Arena::commit(void *pointer) {
  std::lock_guard lock(state->mutex);
  const auto start = reinterpret_cast<uintptr_t>(pointer);
  return commitPages(start, state->live.at(start).committed);
}

void Arena::decommit(void *pointer) {
  std::lock_guard lock(state->mutex);
  const auto start = reinterpret_cast<uintptr_t>(pointer);
  state->decommit(start, state->live.at(start).committed);
}

bool Arena::release(void *pointer) {
  std::lock_guard lock(state->mutex);
  auto it = state->live.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == state->live.end())
    return false;
  State::Block block = it->second;
  state->live.erase(it);
  state->keep(reinterpret_cast<uintptr_t>(pointer), block);
  return true;
}

void Arena::releaseAll() {
  std::lock_guard lock(state->mutex);
  state->live.clear();
  state->kept.clear();
  state->kept_bytes = 0;
  state->shared.clear();
  state->pages.clear();
  state->chunks = 0;
  state->decommit(state->base, state->size);
  state->pages.give(state->base, state->size);
}

std::optional<Arena::Shared> Arena::share(const void *pointer, size_t bytes) {
  const engine::observe::OpenToHost open;
  std::lock_guard lock(state->mutex);
  if (state->file < 0)
    state->file = createSharedFile("heddle-device-memory", state->size);
  if (state->file < 0)
    return std::nullopt;
  const uintptr_t start = reinterpret_cast<uintptr_t>(pointer);
  const uintptr_t end = roundUp(start + bytes, page);
  for (uintptr_t at = start / page * page; at < end;) {
    uintptr_t stop = at;
    while (stop < end && !state->pages_in_file.contains(stop))
      stop += page;
    if (stop > at && !state->moveToFile(at, stop - at))
      return std::nullopt;
    at = stop + page;
  }
  return Shared{state->file, start - state->base};
}

bool Arena::contains(const void *pointer) const {
  return reinterpret_cast<uintptr_t>(pointer) - state->base < state->size;
}

void Arena::populate(void *pointer, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  const auto start = reinterpret_cast<uintptr_t>(pointer), first = start / page * page;
  madvise(reinterpret_cast<void *>(first), roundUp(start + bytes - first, page),
          MADV_POPULATE_WRITE);
#endif
}

} // namespace heddle
