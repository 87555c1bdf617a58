// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/memory_map.h"

#include <algorithm>
#include <mutex>

namespace heddle::check {
namespace {

std::optional<Block> blockAt(const std::map<uint64_t, Block> &blocks, uint64_t address) {
  auto next = blocks.upper_bound(address);
  if (next == blocks.begin())
    return std::nullopt;
  const Block &block = std::prev(next)->second;
  return address < block.end() ? std::optional(block) : std::nullopt;
}

} // namespace

void MemoryMap::add(uint64_t base, uint64_t bytes, bool heap, const char *function) {
  HostPlace place = heap ? HostPlace() : callerOfLibrary();
  if (function)
    place.function = function;
  std::lock_guard lock(mutex_);
  // What was freed where this lies now cannot be told any more.
  auto old = freed_.upper_bound(base);
  if (old != freed_.begin() && std::prev(old)->second.end() > base)
    --old;
  while (old != freed_.end() && old->first < base + std::max<uint64_t>(bytes, 1))
    old = freed_.erase(old);
  alive_[base] = {base, bytes, ++last_number_, heap, place, {}, {}, all_permissions};
}

bool MemoryMap::change(uint64_t base, const std::function<void(Block &)> &does) {
  std::lock_guard lock(mutex_);
  const auto found = alive_.find(base);
  if (found != alive_.end())
    does(found->second);
  return found != alive_.end();
}

void MemoryMap::changeAll(const std::function<void(Block &)> &does) {
  std::lock_guard lock(mutex_);
  for (auto &[base, block] : alive_)
    does(block);
}

void MemoryMap::free(uint64_t base) {
  std::lock_guard lock(mutex_);
  const auto found = alive_.find(base);
  if (found == alive_.end())
    return;
  Block block = found->second;
  alive_.erase(found);
  if (!block.heap)
    block.freed = callerOfLibrary();
  freed_[base] = block;
}

std::optional<Block> MemoryMap::alive(uint64_t address) const {
  std::shared_lock lock(mutex_);
  return blockAt(alive_, address);
}

std::optional<Block> MemoryMap::freed(uint64_t address) const {
  std::shared_lock lock(mutex_);
  return blockAt(freed_, address);
}

std::optional<Block> MemoryMap::nearest(uint64_t address) const {
  std::shared_lock lock(mutex_);
  const auto next = alive_.upper_bound(address);
  const Block *before = next == alive_.begin() ? nullptr : &std::prev(next)->second;
  const Block *behind = next == alive_.end() ? nullptr : &next->second;
  if (!before || !behind)
    return before ? std::optional(*before) : behind ? std::optional(*behind) : std::nullopt;
  return address - before->end() <= behind->base - address ? *before : *behind;
}

std::vector<Block> MemoryMap::all() const {
  std::shared_lock lock(mutex_);
  std::vector<Block> result;
  for (const auto &[base, block] : alive_)
    result.push_back(block);
  std::sort(result.begin(), result.end(),
            [](const Block &a, const Block &b) { return a.number < b.number; });
  return result;
}

} // namespace heddle::check
