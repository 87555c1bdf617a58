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
#include <map>
#include <mutex>

namespace heddle {

/// What a program asks of a new pool (cudaMemPoolProps).
struct PoolSettings {
  size_t max_bytes = 0;    // 0: no limit but the device's memory
  bool shareable = false;  // with other processes, as a file descriptor
  bool decompress = false; // for the GPU's decompression engine
  int imported_file = -1;  // the memory of another process's pool, from which nothing is allocated
};

/// What a cudaMemPool_t points to. Thread-safe.
class MemoryPool {
public:
  explicit MemoryPool(Device &device, const PoolSettings &settings = {});
  ~MemoryPool();
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

  const PoolSettings settings;

  /// Null if the device or the pool is full.
  void *allocate(size_t bytes);
  Memory::Usage used() const { return device.memory.usedBy(device.ordinal, id); }
  void resetMost() { device.memory.resetMost(device.ordinal, id); }

  /// What kernels of a device may do with the pool's memory. A pool's own device may do all; others
  /// nothing, until they are allowed to. Nothing is enforced: devices share one address space.
  cudaMemAccessFlags access(int other) const;
  void allow(int other, cudaMemAccessFlags flags);

private:
  mutable std::mutex mutex;
  std::map<int, cudaMemAccessFlags> allowed;
};

/// Tells an observer that an allocation begins or ends with the work that the calling thread runs.
void tellAllocationInOrder(const void *base, size_t bytes);
/// Whether one listens.
bool isAllocationTold();

} // namespace heddle
