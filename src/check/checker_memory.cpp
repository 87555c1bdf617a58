// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host does with memory, as the checks hear of it.
#include "check/checker.h"

#include <string_view>

namespace heddle::check {
namespace {

uint64_t addressOf(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

bool isReset(const HostPlace &freed) {
  const std::string_view function = freed.function ? freed.function : "";
  return function == "cudaDeviceReset" || function.starts_with("cuDevicePrimaryCtxReset");
}

} // namespace

void Checker::allocated(const void *base, size_t bytes, bool of_device) {
  if (races_ && of_device)
    races_->allocated(addressOf(base), bytes);
  else if (races_)
    races_->sharedWithHost(addressOf(base), bytes, true, nullptr);
  memory_.add(addressOf(base), bytes, false);
  if (unwritten_ && of_device) // the host writes to other memory unseen
    unwritten_->memory.add(addressOf(base), bytes);
}

void Checker::memoryNoted(engine::observe::MemoryNote what, const void *base, uint64_t value,
                          const char *name) {
  told_.note(what, addressOf(base), value, name);
  if (unwritten_ && what == engine::observe::MemoryNote::Fresh)
    unwritten_->memory.addPart(addressOf(base), value);
}

void Checker::sharedByProgram(const OwnMemory &memory) {
  if (races_)
    races_->sharedWithHost(addressOf(memory.base), memory.bytes, memory.own_pages, memory.name);
}

std::vector<engine::observe::ClosedPages> Checker::closedToHost(size_t most) {
  return races_ ? races_->closedToHost(most) : std::vector<engine::observe::ClosedPages>();
}

void Checker::freed(const void *base) {
  if (races_)
    races_->freed(addressOf(base));
  if (const auto block = told_.any() ? memory_.alive(addressOf(base)) : std::nullopt)
    told_.freed(block->base, block->bytes);
  if (const auto block = unused_ ? memory_.alive(addressOf(base)) : std::nullopt) {
    std::lock_guard lock(mutex_);
    addUnused(*block, unused_blocks_);
  }
  memory_.free(addressOf(base));
  if (const auto block = memory_.freed(addressOf(base)); block && isReset(block->freed)) {
    std::lock_guard lock(mutex_);
    reset_.push_back(*block);
  }
  if (unwritten_)
    unwritten_->memory.remove(addressOf(base));
}

void Checker::heapAllocated(const void *base, size_t bytes) {
  if (races_)
    races_->allocated(addressOf(base), bytes);
  memory_.add(addressOf(base), bytes, true);
  if (unwritten_)
    unwritten_->memory.add(addressOf(base), bytes);
}

void Checker::heapFreed(const void *base) { freed(base); }

void Checker::written(const void *to, size_t bytes) {
  if (unwritten_)
    unwritten_->memory.write(addressOf(to), bytes);
}

void Checker::filled(const void *to, size_t bytes) {
  written(to, bytes);
  if (races_)
    races_->transfer(addressOf(to), bytes, true);
}

void Checker::copied(const void *to, const void *from, size_t bytes) {
  if (races_) {
    if (addressOf(to) - addressOf(from) >= bytes && addressOf(from) - addressOf(to) >= bytes)
      races_->transfer(addressOf(from), bytes, false);
    races_->transfer(addressOf(to), bytes, true);
  }
  if (unwritten_)
    unwritten_->memory.copy(addressOf(to), addressOf(from), bytes);
}

// Whatever accesses the memory is to be ordered with where its life begins and ends, as with writes
// to all of it (CUDA guide, "Stream Ordered Memory Allocator").
void Checker::allocationInOrder(const void *base, size_t bytes) {
  if (races_)
    races_->transfer(addressOf(base), bytes, true);
}

void Checker::writtenAnywhere() {
  if (unwritten_)
    unwritten_->memory.writeAll();
}

// What a library of Heddle's writes from the host has been written: all of the allocation, as its
// further accesses may not be seen.
void Checker::hostAccess(const engine::observe::HostAccess &access) {
  const bool by_library = host_accesses_.note(access, memory_);
  if (!by_library || !access.writes || !unwritten_)
    return;
  if (const auto block = memory_.alive(addressOf(access.address)))
    unwritten_->memory.write(block->base, block->bytes);
}

void Checker::lent(const void *base, size_t bytes) {
  lent_.add(reinterpret_cast<uintptr_t>(base), bytes, true);
}

void Checker::takenBack(const void *base) { lent_.free(reinterpret_cast<uintptr_t>(base)); }

} // namespace heddle::check
