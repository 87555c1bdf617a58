// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/memory/memory_pool.h"

#include "engine/observe/observer.h"

#include <algorithm>
#include <map>
#include <unistd.h>

namespace heddle {
namespace {

std::atomic<unsigned> next_id = 1;

/// The default and the current pool of each device.
struct DevicePools {
  std::shared_ptr<MemoryPool> standard, current;
};
std::mutex pools_mutex;

DevicePools &poolsOf(Device &device) { // call with the mutex held
  static auto *pools = new std::map<Device *, DevicePools>;
  DevicePools &entry = (*pools)[&device];
  if (!entry.standard) {
    entry.standard = entry.current = std::make_shared<MemoryPool>(device);
    MemoryPool::handles().add(entry.standard);
  }
  return entry;
}

} // namespace

MemoryPool::MemoryPool(Device &device, const PoolSettings &settings)
    : device(device), id(next_id++), settings(settings) {}

MemoryPool::~MemoryPool() {
  if (settings.imported_file >= 0)
    close(settings.imported_file);
}

void *MemoryPool::allocate(size_t bytes) {
  if (settings.max_bytes != 0 &&
      bytes > settings.max_bytes - std::min(settings.max_bytes, used().now))
    return nullptr;
  return device.memory.allocateOnDevice(device.ordinal, bytes, MemoryKind::Device, id);
}

bool isAllocationTold() { return engine::observe::observer; }

void tellAllocationInOrder(const void *base, size_t bytes) {
  if (engine::observe::observer)
    engine::observe::observer->allocationInOrder(base, bytes);
}

cudaMemAccessFlags MemoryPool::access(int other) const {
  if (other == device.ordinal)
    return cudaMemAccessFlagsProtReadWrite;
  std::lock_guard lock(mutex);
  const auto found = allowed.find(other);
  return found == allowed.end() ? cudaMemAccessFlagsProtNone : found->second;
}

void MemoryPool::allow(int other, cudaMemAccessFlags flags) {
  std::lock_guard lock(mutex);
  allowed[other] = flags;
}

Handles<MemoryPool> &MemoryPool::handles() {
  static auto *handles = new Handles<MemoryPool>; // outlives the program's static objects
  return *handles;
}

std::shared_ptr<MemoryPool> MemoryPool::defaultOf(Device &device) {
  std::lock_guard lock(pools_mutex);
  return poolsOf(device).standard;
}

std::shared_ptr<MemoryPool> MemoryPool::currentOf(Device &device) {
  std::lock_guard lock(pools_mutex);
  return poolsOf(device).current;
}

void MemoryPool::makeCurrent(const std::shared_ptr<MemoryPool> &pool) {
  std::lock_guard lock(pools_mutex);
  poolsOf(pool->device).current = pool;
}

bool MemoryPool::destroy(const std::shared_ptr<MemoryPool> &pool) {
  std::lock_guard lock(pools_mutex);
  DevicePools &pools = poolsOf(pool->device);
  if (pools.standard == pool)
    return false;
  if (pools.current == pool)
    pools.current = pools.standard;
  handles().remove(pool.get());
  return true;
}

} // namespace heddle
