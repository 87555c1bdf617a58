// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/memory/memory.h"

#include "device/context.h"
#include "engine/observe/host.h"
#include "engine/observe/host_guard.h"
#include "engine/observe/observer.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <unistd.h>

namespace heddle {
namespace {

size_t charged(size_t bytes) {
  return (bytes + Arena::alignment - 1) / Arena::alignment * Arena::alignment;
}

/// An arena of the wanted capacity, or as large a one as the host's limits (ulimit -v) allow.
std::unique_ptr<Arena> makeArena(size_t capacity) {
  for (;; capacity /= 2) {
    try {
      return std::make_unique<Arena>(capacity);
    } catch (const std::bad_alloc &) {
      if (capacity < (size_t(16) << 20))
        throw;
    }
  }
}

// A GPU's memory is there when cudaMalloc returns, and pinned memory is pinned. Here the host finds
// a page when it is first touched, which would be in the middle of what the program measures.
// Larger arrays may be meant to stay empty for the most part.
constexpr size_t least_populated = 64 << 10, largest_populated = size_t(64) << 20;

void *populated(void *base, size_t bytes) {
  if (base && bytes >= least_populated && bytes <= largest_populated)
    Arena::populate(base, bytes);
  return base;
}

size_t hostBytes() { return size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGE_SIZE)); }

// ---- Observers (engine/observe) ----

// Memory that lies between allocations while an observer watches, so that what is just past the end
// of one is in none.
size_t gap() { return engine::observe::observer ? Arena::alignment : 0; }

void tellChange() { ++engine::observe::memory_changes; }

void tellAllocated(const void *base, size_t bytes, bool of_device) {
  tellChange();
  if (engine::observe::observer && base)
    engine::observe::observer->allocated(base, bytes, of_device);
}

void tellFreed(const void *base) {
  tellChange();
  if (!engine::observe::observer)
    return;
  engine::observe::observer->freed(base);
  engine::observe::refreshClosedPages();
}

const char *address(const void *pointer) { return static_cast<const char *>(pointer); }

} // namespace

Memory::Memory(const std::vector<size_t> &device_bytes) : host(makeArena(hostBytes())) {
  for (size_t bytes : device_bytes) {
    devices.push_back({makeArena(bytes), bytes, 0, {}});
    devices.back().arena->guardFromHost();
  }
}

void *Memory::allocateOnDevice(int device, size_t bytes, MemoryKind kind, unsigned flags) {
  return populated(reserveOnDevice(device, bytes, kind, flags), bytes);
}

void *Memory::reserveOnDevice(int device, size_t bytes, MemoryKind kind, unsigned flags) {
  std::lock_guard lock(mutex);
  DeviceMemory &memory = devices[device];
  if (bytes > memory.capacity || charged(bytes) > memory.capacity - memory.used)
    return nullptr;
  void *base = allocateFrom(*memory.arena, bytes);
  if (!base)
    return nullptr;
  memory.used += charged(bytes);
  Usage &usage = memory.by_flags[flags];
  usage.now += charged(bytes);
  usage.most = std::max(usage.most, usage.now);
  allocations[address(base)] = {base,     bytes, kind, device, flags, Context::currentOwner(device),
                                next_id++};
  tellAllocated(base, bytes, true);
  return base;
}

void *Memory::allocateOnHost(int device, size_t bytes, MemoryKind kind, unsigned flags) {
  void *base = populated(reserveOnHost(device, bytes, kind, flags), bytes);
  engine::observe::HostObserver *observer = engine::observe::hostObserver();
  if (base && kind == MemoryKind::Managed && observer && observer->followsManaged() &&
      host->share(base, bytes))
    observer->managed(base, bytes);
  return base;
}

void *Memory::reserveOnHost(int device, size_t bytes, MemoryKind kind, unsigned flags) {
  std::lock_guard lock(mutex);
  void *base = allocateFrom(*host, bytes);
  if (!base)
    return nullptr;
  allocations[address(base)] = {base,     bytes, kind, device, flags, Context::currentOwner(device),
                                next_id++};
  tellAllocated(base, bytes, false);
  return base;
}

void *Memory::reserve(int device, size_t bytes) {
  std::lock_guard lock(mutex);
  void *base = devices[device].arena->reserve(bytes);
  if (base)
    allocations[address(base)] = {base, bytes, MemoryKind::Graph, device, 0};
  tellChange();
  return base;
}

void Memory::releaseReserved(int device, void *base) {
  takeBacking(device, base);
  std::lock_guard lock(mutex);
  devices[device].arena->release(base);
  allocations.erase(address(base));
  tellChange();
}

bool Memory::giveBacking(int device, void *base) {
  std::lock_guard lock(mutex);
  DeviceMemory &memory = devices[device];
  auto it = allocations.find(address(base));
  if (it == allocations.end() || it->second.kind != MemoryKind::Graph) // the device was reset
    return false;
  const size_t bytes = it->second.size;
  if (charged(bytes) > memory.capacity - memory.used || !memory.arena->commit(base))
    return false;
  backed.insert(base);
  memory.used += charged(bytes);
  return true;
}

void Memory::takeBacking(int device, void *base) {
  std::lock_guard lock(mutex);
  if (!backed.erase(base))
    return;
  devices[device].arena->decommit(base);
  devices[device].used -= charged(allocations.at(address(base)).size);
}

bool Memory::overlaps(const void *base, size_t size) const {
  auto next = allocations.upper_bound(address(base));
  if (next != allocations.end() && next->first < address(base) + size)
    return true;
  return next != allocations.begin() &&
         std::prev(next)->first + std::prev(next)->second.size > address(base);
}

bool Memory::add(const Allocation &allocation) {
  std::lock_guard lock(mutex);
  if (overlaps(allocation.base, allocation.size))
    return false;
  allocations[address(allocation.base)] = allocation;
  tellChange();
  return true;
}

void Memory::divide(void *block, const std::vector<Allocation> &variables) {
  std::lock_guard lock(mutex);
  tellFreed(block);
  allocations.erase(address(block));
  for (const Allocation &variable : variables)
    allocations[address(variable.base)] = variable;
}

void Memory::unite(const Allocation &block, const std::vector<Allocation> &variables) {
  std::lock_guard lock(mutex);
  for (const Allocation &variable : variables)
    allocations.erase(address(variable.base));
  tellChange();
  giveBack(block);
}

// While an observer watches, what has been freed is not given out again for a while, so that a use
// of it can be told from a use of what would lie there next.
void Memory::releaseLater(Arena &arena, void *base, size_t bytes) {
  constexpr size_t most = size_t(64) << 20;
  if (!engine::observe::observer || bytes > most) {
    arena.release(base);
    return;
  }
  quarantine.push_back({&arena, base, charged(bytes)});
  quarantined += charged(bytes);
  while (quarantined > most)
    releaseOldest();
}

void Memory::releaseOldest() {
  const Freed oldest = quarantine.front();
  quarantine.pop_front();
  quarantined -= oldest.bytes;
  oldest.arena->release(oldest.base);
}

void *Memory::allocateFrom(Arena &arena, size_t bytes) {
  // An observer may close pages to host code (engine/observe/host_guard.h).
  const engine::observe::Observer *observer = engine::observe::observer;
  const bool own_pages = observer && observer->guardsDevices() && &arena == host.get();
  void *base = arena.allocate(bytes + gap(), own_pages);
  while (!base && !quarantine.empty()) {
    releaseOldest();
    base = arena.allocate(bytes + gap(), own_pages);
  }
  return base;
}

void Memory::giveBack(const Allocation &allocation) {
  tellFreed(allocation.base);
  if (allocation.kind == MemoryKind::Device) {
    releaseLater(*devices[allocation.device].arena, allocation.base, allocation.size);
    devices[allocation.device].used -= charged(allocation.size);
    devices[allocation.device].by_flags[allocation.flags].now -= charged(allocation.size);
  } else if (host->contains(allocation.base)) {
    releaseLater(*host, allocation.base, allocation.size);
  }
}

bool Memory::release(const Allocation &allocation) {
  std::lock_guard lock(mutex);
  auto it = allocations.find(address(allocation.base));
  if (it == allocations.end() || it->second.kind != allocation.kind)
    return false;
  giveBack(it->second);
  allocations.erase(it);
  return true;
}

void Memory::tellWrongFree(const void *pointer) {
  if (engine::observe::observer)
    engine::observe::observer->wrongFree(pointer);
}

bool Memory::owns(const Allocation &allocation) const {
  return allocation.kind == MemoryKind::Device || host->contains(allocation.base);
}

void Memory::releaseAll(int device) {
  std::lock_guard lock(mutex);
  for (auto it = allocations.begin(); it != allocations.end();) {
    const Allocation &allocation = it->second;
    // A __managed__ variable is the program's own storage: it outlives the device's memory.
    bool variable = allocation.kind == MemoryKind::Managed && !host->contains(allocation.base);
    if (allocation.device != device || variable) {
      ++it;
      continue;
    }
    if (!allocation.onDevice())
      giveBack(allocation);
    else
      tellFreed(allocation.base);
    it = allocations.erase(it);
  }
  std::erase_if(backed, [&](const void *base) { return devices[device].arena->contains(base); });
  std::erase_if(quarantine, [&](const Freed &freed) {
    const bool gone = freed.arena == devices[device].arena.get();
    quarantined -= gone ? freed.bytes : 0;
    return gone;
  });
  devices[device].arena->releaseAll();
  devices[device].used = 0;
  devices[device].by_flags.clear();
}

void Memory::releaseOf(int device, unsigned context) {
  std::lock_guard lock(mutex);
  for (auto it = allocations.begin(); it != allocations.end();) {
    const Allocation &allocation = it->second;
    const bool kind = allocation.kind == MemoryKind::Device ||
                      allocation.kind == MemoryKind::Pinned ||
                      (allocation.kind == MemoryKind::Managed && host->contains(allocation.base));
    // What has no number is not the program's: the engine's, or part of a module.
    if (!kind || !allocation.id || allocation.device != device || allocation.context != context) {
      ++it;
      continue;
    }
    giveBack(allocation);
    it = allocations.erase(it);
  }
}

void Memory::addRange(const void *base, size_t bytes) {
  std::lock_guard lock(mutex);
  ranges[address(base)] = bytes;
}

void Memory::removeRange(const void *base) {
  std::lock_guard lock(mutex);
  ranges.erase(address(base));
}

bool Memory::charge(int device, size_t bytes) {
  std::lock_guard lock(mutex);
  DeviceMemory &memory = devices[device];
  if (bytes > memory.capacity - std::min(memory.used, memory.capacity))
    return false;
  memory.used += bytes;
  return true;
}

void Memory::discharge(int device, size_t bytes) {
  std::lock_guard lock(mutex);
  devices[device].used -= std::min(bytes, devices[device].used);
}

std::optional<Allocation> Memory::find(const void *pointer) const {
  std::shared_lock lock(mutex);
  auto next = allocations.upper_bound(address(pointer));
  if (next == allocations.begin())
    return std::nullopt;
  const Allocation &candidate = std::prev(next)->second;
  if (address(pointer) >= address(candidate.base) + candidate.size)
    return std::nullopt;
  return candidate;
}

const void *Memory::baseOf(const void *address) const {
  const std::optional<Allocation> found = find(address);
  return found ? found->base : nullptr;
}

uint64_t Memory::bytesBehind(const void *pointer) const {
  const std::optional<Allocation> found = find(pointer);
  if (!found || found->kind == MemoryKind::Pinned || found->kind == MemoryKind::Registered)
    return 0;
  return address(found->base) + found->size - address(pointer);
}

bool Memory::find(const void *pointer, engine::Extent &extent) const {
  const std::optional<Allocation> found = find(pointer);
  if (found)
    extent = {found->base, found->size};
  return found.has_value();
}

bool Memory::inRange(const void *pointer) const {
  std::shared_lock lock(mutex);
  auto next = ranges.upper_bound(address(pointer));
  if (next == ranges.begin())
    return false;
  --next;
  return address(pointer) < next->first + next->second;
}

bool Memory::stray(const void *pointer) const { return isOurs(pointer) && !find(pointer); }

bool Memory::isOurs(const void *pointer) const {
  return host->contains(pointer) || inRange(pointer) ||
         std::any_of(devices.begin(), devices.end(),
                     [&](const DeviceMemory &memory) { return memory.arena->contains(pointer); });
}

Memory::Usage Memory::usedBy(int device, unsigned flags) const {
  std::shared_lock lock(mutex);
  const auto found = devices[device].by_flags.find(flags);
  return found == devices[device].by_flags.end() ? Usage() : found->second;
}

void Memory::resetMost(int device, unsigned flags) {
  std::lock_guard lock(mutex);
  Usage &usage = devices[device].by_flags[flags];
  usage.most = usage.now;
}

std::optional<Arena::Shared> Memory::share(const Allocation &allocation) {
  std::lock_guard lock(mutex);
  if (engine::observe::observer) // other processes may write there from now on
    engine::observe::observer->written(allocation.base, allocation.size);
  return devices[allocation.device].arena->share(allocation.base, allocation.size);
}

size_t Memory::used(int device) const {
  std::shared_lock lock(mutex);
  return devices[device].used;
}

} // namespace heddle
