// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All memory that CUDA calls know of: the memory of every virtual device, pinned and managed host
// memory, host memory that the program registered, and the variables of loaded modules.
//
// Copies are checked against it, and it says for any address which allocation it belongs to
// (unified addressing: one address space for the host and all devices).
#pragma once

#include "device/memory/arena.h"
#include "engine/launch.h"

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <shared_mutex>
#include <vector>

namespace heddle {

enum class MemoryKind {
  Device,     // cudaMalloc and its relatives
  Symbol,     // a __device__ or __constant__ variable
  Pinned,     // cudaHostAlloc, cudaMallocHost
  Registered, // cudaHostRegister
  Managed,    // cudaMallocManaged, or a __managed__ variable
  Graph,      // a graph's: memory lies there only while a launch needs it
  Imported,   // another process's device memory (interprocess/imported_memory.h)
  Virtual,    // physical memory that the program has mapped (virtual_memory.h)
};

struct Allocation {
  void *base = nullptr;
  size_t size = 0;
  MemoryKind kind = MemoryKind::Device;
  int device = 0; // where it lies, or for host memory, the device that was current
  unsigned flags = 0;
  unsigned context = 0; // whose it is (context.h); 0: its device's primary one, or none
  uint64_t id = 0;      // no two allocations have the same; 0: not told

  bool onDevice() const {
    return kind == MemoryKind::Device || kind == MemoryKind::Symbol || kind == MemoryKind::Graph ||
           kind == MemoryKind::Imported || kind == MemoryKind::Virtual;
  }
  bool holds(const void *pointer, size_t bytes) const {
    size_t offset = static_cast<const char *>(pointer) - static_cast<const char *>(base);
    return bytes <= size && offset <= size - bytes;
  }
};

/// Thread-safe.
class Memory final : public engine::Allocations {
public:
  /// One entry for each virtual device: how many bytes it has.
  explicit Memory(const std::vector<size_t> &device_bytes);

  /// Null if the device is full or the host has no memory left.
  void *allocateOnDevice(int device, size_t bytes, MemoryKind kind = MemoryKind::Device,
                         unsigned flags = 0);
  /// Pinned or managed memory.
  void *allocateOnHost(int device, size_t bytes, MemoryKind kind, unsigned flags);
  /// Addresses of a device for a graph, without memory; null if there are none left.
  void *reserve(int device, size_t bytes);
  void releaseReserved(int device, void *base);
  /// Puts memory there; false if the device or the host has none left. Its contents are undefined.
  bool giveBacking(int device, void *base);
  void takeBacking(int device, void *base);
  /// Makes memory that is not ours known; false if it overlaps with memory that is already known.
  bool add(const Allocation &allocation);
  /// Makes each variable of a block that came from allocateOnDevice an allocation of its own.
  void divide(void *block, const std::vector<Allocation> &variables);
  /// Undoes `divide` and frees the block.
  void unite(const Allocation &block, const std::vector<Allocation> &variables);
  /// Frees (or forgets, if it is not ours) exactly this allocation; false if it is not known.
  bool release(const Allocation &allocation);
  /// An observer of the program (engine/observe) hears of a call that was to free this in vain.
  static void tellWrongFree(const void *pointer);
  /// Whether the memory came from here, and is not just known.
  bool owns(const Allocation &allocation) const;
  /// Everything that belongs to a device.
  void releaseAll(int device);
  /// What this context has allocated.
  void releaseOf(int device, unsigned context);
  /// Addresses that lie in no allocation unless memory is mapped there (virtual_memory.h).
  void addRange(const void *base, size_t bytes);
  void removeRange(const void *base);
  /// Takes memory of the device into account that lies elsewhere; false if there is not enough.
  bool charge(int device, size_t bytes);
  void discharge(int device, size_t bytes);

  /// The allocation that `pointer` lies in. The address just past the end does not.
  std::optional<Allocation> find(const void *pointer) const;
  /// Where that allocation begins, or null.
  const void *baseOf(const void *address) const override;
  /// How many bytes of it lie at the address and behind it; 0 if it is pinned, or there is none.
  uint64_t bytesBehind(const void *address) const override;
  bool find(const void *address, engine::Extent &extent) const override;
  bool isOurs(const void *address) const override;
  /// Whether the address is in a range of ours but in no allocation: freed memory, or a wild
  /// pointer.
  bool stray(const void *pointer) const;
  /// Bytes of the device in use, as cudaMemGetInfo counts them.
  size_t used(int device) const;
  /// The same for its allocations with these flags: what is in use, and the most there has been
  /// since the mark was reset.
  struct Usage {
    size_t now = 0, most = 0;
  };
  Usage usedBy(int device, unsigned flags) const;
  void resetMost(int device, unsigned flags);
  /// Moves device memory to where other processes can map it; nothing if the host cannot.
  std::optional<Arena::Shared> share(const Allocation &allocation);

private:
  struct DeviceMemory {
    std::unique_ptr<Arena> arena;
    size_t capacity = 0;
    size_t used = 0;
    std::map<unsigned, Usage> by_flags;
  };
  mutable std::shared_mutex mutex;
  std::vector<DeviceMemory> devices;
  std::unique_ptr<Arena> host;
  std::map<const char *, Allocation> allocations; // by base
  std::set<const void *> backed;                  // of kind Graph
  std::map<const char *, size_t> ranges;
  uint64_t next_id = 1;

  void *reserveOnDevice(int device, size_t bytes, MemoryKind kind, unsigned flags);
  void *reserveOnHost(int device, size_t bytes, MemoryKind kind, unsigned flags);
  bool inRange(const void *pointer) const;
  bool overlaps(const void *base, size_t size) const;
  void giveBack(const Allocation &allocation);
  void *allocateFrom(Arena &arena, size_t bytes);
  void releaseLater(Arena &arena, void *base, size_t bytes);
  void releaseOldest();

  struct Freed {
    Arena *arena;
    void *base;
    size_t bytes;
  };
  std::deque<Freed> quarantine; // oldest first
  size_t quarantined = 0;       // bytes in it
};

} // namespace heddle
