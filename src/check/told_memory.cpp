// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/told_memory.h"

#include <algorithm>
#include <mutex>

namespace heddle::check {

using engine::observe::AccessKind;
using engine::observe::MemoryNote;

namespace {

constexpr uint32_t reset_flag = 8; // NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET

bool mayDo(AccessKind kind, const Block &block) {
  using namespace engine::observe;
  const uint32_t needed = kind == AccessKind::Load    ? may_read
                          : kind == AccessKind::Store ? may_write
                                                      : may_do_atomics;
  return block.permissions & needed;
}

} // namespace

void ToldMemory::note(MemoryNote what, uint64_t base, uint64_t value, const char *name) {
  const auto change = [&](const auto &does) {
    if (!pieces_.change(base, does))
      allocations_.change(base, does);
  };
  switch (what) {
  case MemoryNote::Pool: {
    std::lock_guard lock(mutex_);
    pools_[base] = base + value;
    break;
  }
  case MemoryNote::Reset:
    endPool(base);
    return;
  case MemoryNote::End: {
    endPool(base);
    std::lock_guard lock(mutex_);
    pools_.erase(base);
    return;
  }
  case MemoryNote::Piece:
    if (isInPool(base))
      pieces_.add(base, value, false, name ? name : "nvtxMemRegionsRegister");
    return;
  case MemoryNote::Resize:
    pieces_.change(base, [&](Block &block) { block.bytes = value; });
    return;
  case MemoryNote::Free:
    pieces_.free(base);
    return;
  case MemoryNote::Name:
    change([&](Block &block) { block.name = name ? name : ""; });
    return;
  case MemoryNote::Permissions: {
    const auto assign = [&](Block &block) {
      block.permissions = value & reset_flag ? all_permissions : uint32_t(value);
    };
    if (base) {
      change(assign);
    } else {
      pieces_.changeAll(assign);
      allocations_.changeAll(assign);
    }
    break;
  }
  case MemoryNote::Fresh: // what has been written is no affair of this class
    return;
  }
  any_ = true;
}

void ToldMemory::endPool(uint64_t base) {
  uint64_t end = 0;
  {
    std::shared_lock lock(mutex_);
    const auto pool = pools_.find(base);
    if (pool == pools_.end())
      return;
    end = pool->second;
  }
  for (const Block &block : pieces_.all())
    if (block.base >= base && block.base < end)
      pieces_.free(block.base);
}

void ToldMemory::freed(uint64_t base, uint64_t bytes) {
  if (!any())
    return;
  std::vector<uint64_t> ended;
  {
    std::shared_lock lock(mutex_);
    for (auto pool = pools_.lower_bound(base); pool != pools_.end() && pool->first < base + bytes;
         ++pool)
      ended.push_back(pool->first);
  }
  for (const uint64_t pool : ended)
    note(MemoryNote::End, pool, 0, nullptr);
}

bool ToldMemory::isPool(uint64_t base) const {
  std::shared_lock lock(mutex_);
  return pools_.contains(base);
}

bool ToldMemory::isInPool(uint64_t address) const {
  std::shared_lock lock(mutex_);
  const auto next = pools_.upper_bound(address);
  return next != pools_.begin() && address < std::prev(next)->second;
}

const MemoryMap &ToldMemory::mapOf(uint64_t address) const {
  return isInPool(address) ? pieces_ : allocations_;
}

std::optional<Block> ToldMemory::at(uint64_t address) const {
  for (const MemoryMap *map : {&mapOf(address), static_cast<const MemoryMap *>(&allocations_)}) {
    const auto block = map->alive(address);
    if (const auto found = block ? block : map->freed(address))
      return found;
  }
  return std::nullopt;
}

bool ToldMemory::allows(AccessKind kind, uint64_t address, uint64_t bytes,
                        engine::Extent &extent) const {
  const auto block = mapOf(address).alive(address);
  if (!block) // of a pool; what else has no name or place here has no limits either
    return !isInPool(address);
  if (!block->holds(address, bytes) || !mayDo(kind, *block))
    return false;
  extent = {reinterpret_cast<const void *>(block->base),
            block->permissions == all_permissions ? block->bytes : 0};
  return true;
}

std::optional<Block> ToldMemory::forbidding(AccessKind kind, uint64_t address) const {
  const auto block = mapOf(address).alive(address);
  return block && !mayDo(kind, *block) ? block : std::nullopt;
}

} // namespace heddle::check
