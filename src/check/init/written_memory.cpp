// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/init/written_memory.h"

#include <algorithm>
#include <mutex>
#include <new>

namespace heddle::check {

// Null if there is no memory for the bits.
std::shared_ptr<WrittenBytes> WrittenMemory::made(uint64_t base, uint64_t bytes) {
  try {
    return std::make_shared<WrittenBytes>(base, bytes);
  } catch (const std::bad_alloc &) {
    full_ = true;
    return nullptr;
  }
}

void WrittenMemory::add(uint64_t base, uint64_t bytes) {
  std::shared_ptr<WrittenBytes> block = made(base, bytes);
  std::lock_guard lock(mutex_);
  if (block)
    blocks_[base] = std::move(block);
  else
    blocks_.erase(base);
}

void WrittenMemory::addPart(uint64_t base, uint64_t bytes) {
  std::shared_ptr<WrittenBytes> part = made(base, bytes);
  std::lock_guard lock(mutex_);
  removeParts(base, base + bytes);
  if (part)
    parts_[base] = std::move(part);
}

void WrittenMemory::removeParts(uint64_t begin, uint64_t end) {
  auto first = parts_.upper_bound(begin);
  if (first != parts_.begin() && std::prev(first)->second->bits().end() > begin)
    --first;
  parts_.erase(first, parts_.lower_bound(end));
}

void WrittenMemory::remove(uint64_t base) {
  std::lock_guard lock(mutex_);
  const auto block = blocks_.find(base);
  if (block == blocks_.end())
    return;
  removeParts(base, block->second->bits().end());
  blocks_.erase(block);
}

std::shared_ptr<WrittenBytes> WrittenMemory::at(uint64_t address) const {
  std::shared_lock lock(mutex_);
  for (const Blocks *blocks : {&parts_, &blocks_}) {
    const auto next = blocks->upper_bound(address);
    if (next != blocks->begin() && address < std::prev(next)->second->bits().end())
      return std::prev(next)->second;
  }
  return nullptr;
}

void WrittenMemory::write(uint64_t address, uint64_t bytes) {
  if (const auto block = at(address))
    block->set(address, std::min(bytes, block->bits().end() - address));
}

void WrittenMemory::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  const auto source = at(from), destination = at(to);
  if (!destination)
    return;
  bytes = std::min(bytes, destination->bits().end() - to);
  if (!source || source->complete())
    return destination->set(to, bytes);
  const uint64_t end = std::min(from + bytes, source->bits().end());
  for (uint64_t next = from; next < end;) {
    const uint64_t unwritten = source->bits().firstUnwritten(next, end - next);
    destination->set(to + (next - from), unwritten - next);
    next = source->bits().firstWritten(unwritten, end - unwritten);
  }
}

uint64_t WrittenMemory::unwrittenBytes(uint64_t base) const {
  const auto block = at(base);
  if (!block || block->complete())
    return 0;
  uint64_t count = 0;
  const uint64_t end = block->bits().end();
  for (uint64_t next = base; next < end;) {
    const uint64_t first = block->bits().firstUnwritten(next, end - next);
    next = block->bits().firstWritten(first, end - first);
    count += next - first;
  }
  return count;
}

void WrittenMemory::writeAll() {
  std::shared_lock lock(mutex_);
  for (const Blocks *blocks : {&blocks_, &parts_})
    for (const auto &[base, block] : *blocks)
      block->setAll();
}

} // namespace heddle::check
