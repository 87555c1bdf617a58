// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks for CUDA threads.
//
// Every CUDA thread runs on a fiber with its own stack and yields only where it must wait for
// others. When a thread ends, its fiber runs the next one on the same stack, so a kernel without
// barriers needs one fiber per worker, however many threads it launches. Fibers are abandoned,
// never unwound, when a kernel faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::engine {

/// Stack bytes that engine functions and signal delivery may need below a device frame.
inline constexpr size_t stack_reserve = 16 << 10;

/// The stack size of a kernel whose functions' frames have `frame_bytes` in all; recursion may need
/// as much as a GPU's `stack_limit` (cudaLimitStackSize) allows. In bytes.
uint64_t kernelStackBytes(uint64_t frame_bytes, bool recursive, uint64_t stack_limit);

/// A saved point of execution. Null once it has been resumed.
using Context = void *;

/// The main function of a fiber; its argument is passed to switchTo. It never returns.
using FiberMain = void (*)(void *argument);

struct Fiber {
  Context context = nullptr;
  FiberMain main = nullptr;
  char *stack = nullptr; // lowest usable address; mostly a guard page lies below
  size_t stack_bytes = 0;
  unsigned level = 0; // nesting depth of the launch that uses it
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
  /// Returns a fiber that waits in its main loop for the next argument.
  void release(Fiber *fiber);
  /// Makes a fiber that stopped within its main function start again.
  void restart(Fiber *fiber) { prepare(*fiber); }
  /// After a fault: resets the fibers of this launch, and of launches nested in it, to their start.
  void abandonAll();

private:
  void prepare(Fiber &fiber);

  FiberMain main_;
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber *> idle_;
  uint32_t guarded_ = 0; // stacks with a guard page
};

/// Runs `fiber` until it calls switchBack. `argument` is passed to main or returned by the fiber's
/// last switchBack. Returns the argument of the fiber's switchBack.
void *switchTo(Fiber &fiber, void *argument);

/// On a fiber: returns to the switchTo that resumed it. Returns the argument of the next switchTo.
void *switchBack(void *value);

/// Calls body(argument) on a stack with room for another launch, on a fiber or not. Nested launches
/// do not touch the fibers of outer ones. Throws std::bad_alloc.
void callOnOwnStack(void (*body)(void *), void *argument);

/// The stack of the innermost such call of this OS thread; null if there is none.
const Fiber *ownStack();

/// After a fault: the code now running is no longer on a fiber.
void leaveFiber();

} // namespace heddle::engine
