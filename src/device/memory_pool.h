// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools: where cudaMallocAsync takes memory from.
//
// On a GPU a pool keeps freed memory for the next allocation, since asking the driver for more is
// slow. Here an allocation costs little, so a pool holds nothing back: it is an account of what
// was taken from it, with the settings that programs give it.
#pragma once

#include "device/device.h"

#include <array>

namespace heddle {

/// What a cudaMemPool_t points to. Thread-safe.
class MemoryPool {
public:
  explicit MemoryPool(Device &device);
  static Handles<MemoryPool> &handles();
  /// The pool that a device has from the beginning.
  static std::shared_ptr<MemoryPool> defaultOf(Device &device);
  /// The pool that cudaMallocAsync uses on a device.
  static std::shared_ptr<MemoryPool> currentOf(Device &device);
  static void makeCurrent(const std::shared_ptr<MemoryPool> &pool);
  /// False for a default pool, which stays.
  static bool destroy(const std::shared_ptr<MemoryPool> &pool);

  Device &device;
  const unsigned id; // in Allocation::flags
  std::atomic<uint64_t> release_threshold = 0;
  std::array<std::atomic<int>, 4> reuse = {1, 1, 1, 1}; // by cudaMemPoolAttr

  /// Null if the device is full.
  void *allocate(size_t bytes) {
    return device.memory.allocateOnDevice(device.ordinal, bytes, MemoryKind::Device, id);
  }
  size_t used() const { return device.memory.usedBy(device.ordinal, id); }
};

} // namespace heddle
