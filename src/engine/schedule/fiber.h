// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks for CUDA threads.
//
// Every CUDA thread runs as a fiber: it has a stack of its own and gives way only where it must
// wait for others. A fiber that finishes its thread goes on with the next one on the same stack,
// so a kernel without barriers needs one fiber for each worker, however many threads it launches.
// Fibers are abandoned, never unwound, when a kernel faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::engine {

/// What engine functions and signal delivery may need below a device frame.
inline constexpr size_t stack_reserve = 16 << 10;

/// How much stack a kernel needs whose functions' frames have `frame_bytes` in all; recursion may
/// need as much as a GPU's `stack_limit` (cudaLimitStackSize) allows.
uint64_t kernelStackBytes(uint64_t frame_bytes, bool recursive, uint64_t stack_limit);

/// A saved point of execution. Null once it has been resumed.
using Context = void *;

/// What a fiber runs; the argument is what switchTo is given. It never returns.
using FiberMain = void (*)(void *argument);

struct Fiber {
  Context context = nullptr;
  FiberMain main = nullptr;
  char *stack = nullptr; // lowest usable address; a guard page lies below
  size_t stack_bytes = 0;
  unsigned level = 0; // how many launches deep it is used, each launched by the one before
  bool holds(const void *address) const {
    return address >= stack && address < stack + stack_bytes;
  }
};

/// Creates and keeps the fibers of one worker. Not thread-safe.
class FiberPool {
public:
  explicit FiberPool(FiberMain main);
  ~FiberPool();
  FiberPool(const FiberPool &) = delete;

  /// A fiber with at least `stack_bytes` of stack, idle or new. Throws std::bad_alloc.
  Fiber *acquire(size_t stack_bytes);
  /// Gives back a fiber that waits in its main loop for the next argument.
  void release(Fiber *fiber);
  /// Makes a fiber that stopped in the middle of its main function begin it anew.
  void restart(Fiber *fiber) { prepare(*fiber); }
  /// After a fault: forget what the fibers of this launch were doing, and of those launched by it;
  /// they start afresh.
  void abandonAll();

private:
  void prepare(Fiber &fiber);

  FiberMain main_;
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber *> idle_;
};

/// Runs `fiber` until it calls switchBack. `argument` is what main, or the last switchBack in it,
/// gets. Returns what the fiber gave to switchBack.
void *switchTo(Fiber &fiber, void *argument);

/// Called on a fiber: goes back to the switchTo that resumed it; returns the next one's argument.
void *switchBack(void *value);

/// Calls body(argument) on a stack that has room for another launch, from a fiber or not. Launches
/// run in it do not touch the fibers of those around it. Throws std::bad_alloc.
void callOnOwnStack(void (*body)(void *), void *argument);

/// The stack of the innermost such call of this OS thread; null if there is none.
const Fiber *ownStack();

/// After a fault: the code now running is no longer on a fiber.
void leaveFiber();

} // namespace heddle::engine
