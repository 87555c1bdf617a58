// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/device_heap.h"

#include <atomic>
#include <cstdlib>
#include <tbb/concurrent_hash_map.h>

namespace heddle::engine {
namespace {

constexpr uint64_t alignment = 16;
// What an allocation takes of the heap beside its own bytes, roughly as on a GPU: many small ones
// use it up too.
constexpr uint64_t overhead = 16;

using Allocations = tbb::concurrent_hash_map<void *, uint64_t>; // with the bytes that they take

} // namespace

struct DeviceHeap::State {
  Allocations live;
  std::atomic<uint64_t> used = 0;
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
  if (memory)
    state_->live.emplace(memory, total);
  else
    state_->used.fetch_sub(total);
  return memory;
}

bool DeviceHeap::release(void *pointer) {
  if (!pointer)
    return true;
  uint64_t total = 0;
  {
    Allocations::accessor found;
    if (!state_->live.find(found, pointer))
      return false;
    total = found->second;
    state_->live.erase(found);
  }
  state_->used.fetch_sub(total);
  std::free(pointer);
  return true;
}

void DeviceHeap::clear() {
  for (const auto &[memory, total] : state_->live)
    std::free(memory);
  state_->live.clear();
  state_->used = 0;
}

uint64_t DeviceHeap::bytesInUse() const { return state_->used; }

} // namespace heddle::engine
