// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/print_buffer.h"

#include <cstdio>

namespace heddle {

void PrintBuffer::makeRoom(size_t wanted) {
  while (!records.empty() && bytes + wanted > capacity) {
    bytes -= records.front().size();
    records.pop_front();
  }
}

void PrintBuffer::write(std::string_view text) {
  std::lock_guard lock(mutex);
  makeRoom(text.size());
  bytes += text.size();
  records.emplace_back(text);
  empty.store(false, std::memory_order_release);
}

void PrintBuffer::flush() {
  if (empty.load(std::memory_order_acquire))
    return;
  std::lock_guard lock(mutex);
  for (const std::string &record : records)
    fwrite(record.data(), 1, record.size(), stdout);
  records.clear();
  bytes = 0;
  empty.store(true, std::memory_order_release);
}

void PrintBuffer::clear() {
  std::lock_guard lock(mutex);
  records.clear();
  bytes = 0;
  empty.store(true, std::memory_order_release);
}

void PrintBuffer::setCapacity(size_t new_capacity) {
  std::lock_guard lock(mutex);
  capacity = new_capacity;
  makeRoom(0);
}

} // namespace heddle
