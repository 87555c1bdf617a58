// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/device_heap.h"

#include <cstdlib>

namespace heddle::engine {
namespace {

constexpr uint64_t alignment = 16;

// Tells allocations from other memory, and live ones from released ones.
constexpr uint64_t live_mark = 0x6865646c68656170, released_mark = 0x6865646c66726565;

// Stands before each allocation, so that freeing it can give the bytes back to the limit.
struct alignas(alignment) Header {
  uint64_t bytes;
  uint64_t mark;
};

} // namespace

void *heapAllocate(const DeviceResources &device, uint64_t bytes) {
  const uint64_t total = (bytes + alignment - 1) / alignment * alignment + sizeof(Header);
  if (total < bytes || total > device.heap_bytes)
    return nullptr;
  if (device.heap_used->fetch_add(int64_t(total)) + int64_t(total) > int64_t(device.heap_bytes)) {
    device.heap_used->fetch_sub(int64_t(total));
    return nullptr;
  }
  auto *header = static_cast<Header *>(std::aligned_alloc(alignment, total));
  if (!header) {
    device.heap_used->fetch_sub(int64_t(total));
    return nullptr;
  }
  header->bytes = total;
  header->mark = live_mark;
  return header + 1;
}

bool heapRelease(const DeviceResources &device, void *pointer) {
  if (!pointer)
    return true;
  Header *header = static_cast<Header *>(pointer) - 1;
  if (reinterpret_cast<uintptr_t>(pointer) % alignment || header->mark != live_mark)
    return false;
  header->mark = released_mark;
  device.heap_used->fetch_sub(int64_t(header->bytes));
  std::free(header);
  return true;
}

} // namespace heddle::engine
