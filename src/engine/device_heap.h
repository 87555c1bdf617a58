// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap behind malloc and new in kernels.
//
// CUDA guide, "Dynamic Global Memory Allocation": the heap has a fixed size, malloc returns null
// when it is used up, and what one kernel allocates another may free. The heap knows its live
// allocations without looking at their memory, so that freeing one twice can be told.
#pragma once

#include "engine/launch.h"
#include "engine/observe/observer.h"

#include <memory>

namespace heddle::engine {

/// One device's heap. Any number of kernels may use it at once.
class DeviceHeap {
public:
  DeviceHeap();
  ~DeviceHeap();

  /// Null if more than `limit` bytes would be in use then.
  void *allocate(uint64_t bytes, uint64_t limit);
  /// False if `pointer` is not one that allocate gave and that has not been released.
  bool release(void *pointer);
  /// Releases everything. No kernel may be running.
  void clear();
  uint64_t bytesInUse() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

inline void *heapAllocate(const DeviceResources &device, uint64_t bytes) {
  void *memory = device.heap->allocate(bytes, device.heap_bytes);
  if (observe::observer && memory)
    observe::observer->heapAllocated(memory, bytes);
  return memory;
}
inline bool heapRelease(const DeviceResources &device, void *pointer) {
  if (observe::observer && pointer)
    observe::observer->heapFreed(pointer);
  return device.heap->release(pointer);
}

} // namespace heddle::engine
