// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/device_heap.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <unordered_map>

namespace heddle::engine {
namespace {

constexpr uint64_t alignment = 16;
// What an allocation takes of the heap beside its own bytes, roughly as on a GPU: many small ones
// use it up too.
constexpr uint64_t overhead = 16;

struct alignas(64) Shard {
  std::mutex lock;
  std::unordered_map<void *, uint64_t> live; // with the bytes that they take of the heap
};

} // namespace

// The table is in parts by address, so that workers seldom wait for each other.
struct DeviceHeap::State {
  std::array<Shard, 64> shards;
  std::atomic<uint64_t> used = 0;

  Shard &shardOf(void *memory) {
    const uint64_t hash = reinterpret_cast<uintptr_t>(memory) / alignment * 0x9e3779b97f4a7c15;
    return shards[hash >> 58];
  }
};

DeviceHeap::DeviceHeap() : state_(std::make_unique<State>()) {}
DeviceHeap::~DeviceHeap() { clear(); }

void *DeviceHeap::allocate(uint64_t bytes, uint64_t limit) {
  if (bytes > limit || bytes > uint64_t(INT64_MAX)) // the sums below do not overflow
    return nullptr;
  const uint64_t usable = (bytes + alignment - 1) / alignment * alignment;
  const uint64_t total = usable + overhead;
  void *memory = nullptr;
  if (state_->used.fetch_add(total) + total <= limit)
    memory = std::aligned_alloc(alignment, usable ? usable : alignment);
  if (!memory) {
    state_->used.fetch_sub(total);
    return nullptr;
  }
  Shard &shard = state_->shardOf(memory);
  std::lock_guard guard(shard.lock);
  shard.live.emplace(memory, total);
  return memory;
}

bool DeviceHeap::release(void *pointer) {
  if (!pointer)
    return true;
  Shard &shard = state_->shardOf(pointer);
  {
    std::lock_guard guard(shard.lock);
    const auto found = shard.live.find(pointer);
    if (found == shard.live.end())
      return false;
    state_->used.fetch_sub(found->second);
    shard.live.erase(found);
  }
  std::free(pointer);
  return true;
}

void DeviceHeap::clear() {
  for (Shard &shard : state_->shards) {
    for (const auto &[memory, total] : shard.live)
      std::free(memory);
    shard.live.clear();
  }
  state_->used = 0;
}

uint64_t DeviceHeap::bytesInUse() const { return state_->used; }

} // namespace heddle::engine
