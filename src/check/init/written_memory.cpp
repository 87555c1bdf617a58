// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/init/written_memory.h"

#include <algorithm>
#include <mutex>
#include <new>

namespace heddle::check {

void WrittenMemory::add(uint64_t base, uint64_t bytes) {
  std::shared_ptr<WrittenBytes> block;
  try {
    block = std::make_shared<WrittenBytes>(base, bytes);
  } catch (const std::bad_alloc &) {
    full_ = true;
  }
  std::lock_guard lock(mutex_);
  if (block)
    blocks_[base] = std::move(block);
  else
    blocks_.erase(base);
}

void WrittenMemory::remove(uint64_t base) {
  std::lock_guard lock(mutex_);
  blocks_.erase(base);
}

std::shared_ptr<WrittenBytes> WrittenMemory::at(uint64_t address) const {
  std::shared_lock lock(mutex_);
  auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin())
    return nullptr;
  const std::shared_ptr<WrittenBytes> &block = std::prev(next)->second;
  return address < block->bits().end() ? block : nullptr;
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
  for (const auto &[base, block] : blocks_)
    block->setAll();
}

} // namespace heddle::check
