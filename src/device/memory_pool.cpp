// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/memory_pool.h"

#include <map>

namespace heddle {
namespace {

std::atomic<unsigned> next_id = 1;

/// The default and the current pool of each device.
struct DevicePools {
  std::shared_ptr<MemoryPool> standard, current;
};
std::mutex mutex;

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

MemoryPool::MemoryPool(Device &device) : device(device), id(next_id++) {}

Handles<MemoryPool> &MemoryPool::handles() {
  static auto *handles = new Handles<MemoryPool>; // outlives the program's static objects
  return *handles;
}

std::shared_ptr<MemoryPool> MemoryPool::defaultOf(Device &device) {
  std::lock_guard lock(mutex);
  return poolsOf(device).standard;
}

std::shared_ptr<MemoryPool> MemoryPool::currentOf(Device &device) {
  std::lock_guard lock(mutex);
  return poolsOf(device).current;
}

void MemoryPool::makeCurrent(const std::shared_ptr<MemoryPool> &pool) {
  std::lock_guard lock(mutex);
  poolsOf(pool->device).current = pool;
}

bool MemoryPool::destroy(const std::shared_ptr<MemoryPool> &pool) {
  std::lock_guard lock(mutex);
  DevicePools &pools = poolsOf(pool->device);
  if (pools.standard == pool)
    return false;
  if (pools.current == pool)
    pools.current = pools.standard;
  handles().remove(pool.get());
  return true;
}

} // namespace heddle
