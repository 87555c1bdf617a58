// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual memory management (CUDA C++ Programming Guide, "Virtual Memory Management"): programs
// reserve addresses, make physical memory, and map the one to the other.
//
// Physical memory is a file without a name, so that it can be mapped at several addresses, and
// given to other processes. Where memory is mapped and some device may access it, it is an
// allocation like others, for copies and for `cuPointerGetAttribute`; what lies side by side counts
// as one.
#pragma once

// CUDA's functions are exported, wherever they are declared first.
#pragma GCC visibility push(default)
#include <cuda.h>
#pragma GCC visibility pop

#include "device/device.h"

#include <map>

namespace heddle {

/// What a CUmemGenericAllocationHandle points to.
class PhysicalMemory {
public:
  PhysicalMemory(Memory &memory, int charged, int file, size_t size,
                 const CUmemAllocationProp &properties)
      : memory(memory), charged(charged), file(file), size(size), properties(properties) {}
  ~PhysicalMemory();

  Memory &memory;
  const int charged; // the device whose memory it takes; -1: none
  const int file;
  const size_t size;
  const CUmemAllocationProp properties;
  unsigned handles_given = 1; // guarded by VirtualMemory's mutex
};

/// Thread-safe. Errors are cudaError_t's, whose values the driver API has, too.
class VirtualMemory {
public:
  static VirtualMemory &instance();
  /// As on GPUs; all sizes and addresses are multiples of it.
  static constexpr size_t granularity = size_t(2) << 20;

  cudaError_t reserve(Memory &memory, size_t size, size_t alignment, uintptr_t wish,
                      uintptr_t &address);
  cudaError_t unreserve(uintptr_t address, size_t size);

  cudaError_t create(Memory &memory, size_t size, const CUmemAllocationProp &properties,
                     unsigned long long &handle);
  cudaError_t import(Memory &memory, int file, unsigned long long &handle);
  cudaError_t release(unsigned long long handle);
  std::shared_ptr<PhysicalMemory> find(unsigned long long handle) const;
  /// The handle of what is mapped at the address; it is to be released once more.
  cudaError_t retain(uintptr_t address, unsigned long long &handle);

  cudaError_t map(uintptr_t address, size_t size, size_t offset, unsigned long long handle);
  cudaError_t unmap(uintptr_t address, size_t size);
  cudaError_t setAccess(uintptr_t address, size_t size, int device, CUmemAccess_flags flags);
  cudaError_t getAccess(uintptr_t address, int device, CUmemAccess_flags &flags) const;

  struct Mapping {
    size_t size = 0;
    std::shared_ptr<PhysicalMemory> physical;
    size_t offset = 0;
    std::map<int, CUmemAccess_flags> access; // by device; -1: the host
  };
  /// What is mapped there, and from which address on.
  std::optional<std::pair<uintptr_t, Mapping>> mappingAt(uintptr_t address) const;

private:
  struct Reservation {
    Memory *memory = nullptr;
    size_t size = 0;
    void *whole = nullptr; // with some memory before and behind it
    size_t whole_bytes = 0;
    std::vector<Allocation> known; // as Memory knows what is mapped
  };
  mutable std::mutex mutex;
  std::map<uintptr_t, Reservation> reservations;
  std::map<uintptr_t, Mapping> mappings;
  Handles<PhysicalMemory> handles;

  // These expect that `mutex` is held.
  std::map<uintptr_t, Reservation>::iterator reservationOf(uintptr_t address, size_t size);
  bool covered(uintptr_t address, size_t size) const; // exactly, by mappings
  void announce(uintptr_t start, Reservation &reservation);
};

} // namespace heddle
