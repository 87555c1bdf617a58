// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine's public face: load a device image, run one kernel launch to completion.
//
// The engine knows nothing of streams, contexts or the CUDA API. It is given a grid, a packed
// parameter buffer and the addresses of this device's globals, runs every block on the worker
// pool, and says how it ended. Errors are CUDA's (cudaError_t values), with words for people.
#pragma once

#include "module/image/image.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace heddle::engine {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// The block that `fused` of them make, side by side along x.
inline Dim3 wideBlock(const Dim3 &block, uint32_t fused) {
  return {block.x * fused, block.y, block.z};
}

/// With x and another axis exchanged (1: y, 2: z; 0: none), which undoes itself
/// (simd/launch/lane_axis.h).
inline Dim3 turned(const Dim3 &shape, unsigned lane_axis) {
  return lane_axis == 1   ? Dim3{shape.y, shape.x, shape.z}
         : lane_axis == 2 ? Dim3{shape.z, shape.y, shape.x}
                          : shape;
}

/// How a launch went wrong. `error` is the cudaError_t a GPU would give.
struct Fault {
  int error = 0;
  std::string message;      // complete text for stderr: what, kernel, block, thread, source line
  uint64_t block = 0;       // its linear index …
  uint32_t blocks = 1;      // … or that of the first of several, fused; it is one of them
  bool one_of_many = false; // of threads that ran together; the message names the first of them
};

/// Receives what kernels print. Given by the device; called from worker threads.
class PrintSink {
public:
  virtual ~PrintSink() = default;
  /// Appends one already formatted printf call's text.
  virtual void write(std::string_view text) = 0;
};

/// A piece of memory.
struct Extent {
  const void *base = nullptr;
  uint64_t bytes = 0;
};

/// Says which memory belongs together. Given by the device; thread-safe.
class Allocations {
public:
  virtual ~Allocations() = default;
  /// Where the allocation begins that the address lies in; null if it is in none.
  virtual const void *baseOf(const void *address) const = 0;
  /// How many bytes of it lie at the address and behind it; 0 if it is in none, or in pinned memory
  /// of the host, who watches that while kernels run.
  virtual uint64_t bytesBehind(const void *address) const = 0;
  /// The allocation that the address lies in, pinned memory too; false if it is in none.
  virtual bool find(const void * /*address*/, Extent & /*extent*/) const { return false; }
  /// Whether allocations come from where the address lies, be it in one or not.
  virtual bool isOurs(const void * /*address*/) const { return false; }
};

/// Where a managed variable is, and whether its initial value is to be written there.
struct ManagedPlace {
  void *address;
  bool fresh;
};

/// One device image ready to run. Thread-safe; shared by all virtual devices.
class Program {
public:
  virtual ~Program() = default;
  virtual const ImageInfo &info() const = 0;
  /// Index into info().kernels, or -1.
  virtual int findKernel(std::string_view name) const = 0;
  /// Makes native code for such launches available: from the cache, or by compiling; `run` does so
  /// if it has not been. Throws std::runtime_error with the compiler's message.
  virtual void ensureCompiled(int kernel, const Dim3 &grid, const Dim3 &block) = 0;
  /// Writes the initial values of the image's globals to `globals` (info().globals_bytes bytes,
  /// aligned to info().globals_align). `managed(name)` says where a managed variable is.
  virtual void initGlobals(void *globals, ManagedPlace (*managed)(void *user, const char *name),
                           void *user) = 0;
};

/// Parses the image at `bytes` (which must stay valid) without compiling it.
/// Throws std::runtime_error if it is not an image of this Heddle version.
std::shared_ptr<Program> loadProgram(std::span<const std::byte> bytes);

class DeviceHeap;

/// A thread of a running kernel.
struct CallingThread {
  uint64_t block = 0;    // its linear index in the launch
  uint32_t thread = 0;   // in the block
  bool replayed = false; // what it asks has been done already; it runs again to be looked at
};

/// Answers what running kernels ask of their device. Given by the device for one launch; called
/// from worker threads, on stacks that are large enough to run another launch.
class DeviceCalls {
public:
  virtual ~DeviceCalls() = default;
  /// Returns the answer for the kernel. If a fault is set, the asking kernel ends with it.
  virtual uint32_t call(const CallingThread &caller, uint32_t function, void *arguments,
                        std::optional<Fault> &fault) = 0;
};

/// Limits that the virtual device sets for its kernels, and what it lends them.
struct DeviceResources {
  uint32_t multiprocessors = 1;
  uint32_t multiprocessor_warps = 64;
  uint32_t clock_khz = 1000000;     // for clock64()
  uint32_t max_resident_blocks = 1; // per SM for this launch; cooperative grids need all resident
  uint64_t stack_bytes = 1024;      // cudaLimitStackSize
  uint64_t heap_bytes = 8u << 20;   // cudaLimitMallocHeapSize, shared by all launches
  DeviceHeap *heap = nullptr;       // what malloc has given them
  PrintSink *print = nullptr;
  const Allocations *allocations = nullptr; // null: nothing is known of them
  DeviceCalls *calls = nullptr;
};

struct Launch {
  Program *program = nullptr;
  int kernel = 0; // index into program->info().kernels
  Dim3 grid, block;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  const void *parameters = nullptr; // packed as KernelInfo::parameters says, aligned for structures
  void *globals = nullptr;          // this device's copy of the image's globals
  DeviceResources device;
  uint64_t number = 0; // of this run of it, from 1 on
  uint64_t parent = 0; // the number of the launch whose kernel has launched it; 0: the host has
};

/// The parameter of so many bytes, eight at most, at this place of the packed ones.
inline uint64_t parameterAt(const Launch &launch, uint32_t offset, uint32_t bytes) {
  uint64_t number = 0;
  std::memcpy(&number, static_cast<const char *>(launch.parameters) + offset, bytes);
  return number;
}

/// Runs the launch to completion on the calling thread and the worker pool. Blocks are handed out
/// in ascending order. Arguments have been checked by the caller (grid and block within limits).
/// Returns nothing if all went well.
std::optional<Fault> run(const Launch &launch);

} // namespace heddle::engine
