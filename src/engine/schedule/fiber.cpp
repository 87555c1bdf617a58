// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/fiber.h"

#include <algorithm>
#include <atomic>
#include <boost/context/detail/fcontext.hpp>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEDDLE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HEDDLE_ASAN 1
#endif
#ifdef HEDDLE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// boost::context::fiber would unwind an unfinished fiber with an exception, but device code has no
// unwind tables; the lower level only switches stacks.
namespace ctx = boost::context::detail;

namespace heddle::engine {
namespace {

// The context to switch back to. An OS thread runs one fiber at a time.
struct Switch {
  ctx::fcontext_t scheduler = nullptr;
  Fiber *running = nullptr;
  void *scheduler_fake_stack = nullptr;
  const void *scheduler_stack = nullptr;
  size_t scheduler_stack_bytes = 0;
};
thread_local Switch current;

// The nesting depth of callOnOwnStack on this OS thread.
thread_local unsigned level = 0;
thread_local const Fiber *own_stack = nullptr; // of the innermost call

void beginSwitch([[maybe_unused]] void **save, [[maybe_unused]] const void *stack,
                 [[maybe_unused]] size_t bytes) {
#ifdef HEDDLE_ASAN
  __sanitizer_start_switch_fiber(save, stack, bytes);
#endif
}

void endSwitch([[maybe_unused]] void *saved, [[maybe_unused]] const void **stack,
               [[maybe_unused]] size_t *bytes) {
#ifdef HEDDLE_ASAN
  __sanitizer_finish_switch_fiber(saved, stack, bytes);
#endif
}

struct Start {
  FiberMain main;
  void *argument;
};

void enter(ctx::transfer_t transfer) {
  endSwitch(nullptr, &current.scheduler_stack, &current.scheduler_stack_bytes);
  current.scheduler = transfer.fctx;
  Start start = *static_cast<Start *>(transfer.data);
  start.main(start.argument);
  __builtin_trap(); // main never returns
}

size_t pageSize() {
  static const size_t size = size_t(sysconf(_SC_PAGESIZE));
  return size;
}

constexpr uint64_t base_stack_bytes = 64 << 10;
constexpr uint64_t recursive_stack_bytes = 256 << 10;
// The code of a SIMD kernel may take 64 KB of it (simd/block.cpp), TBB some more.
constexpr uint64_t launch_stack_bytes = 1 << 20;
// x86-64 frames are larger than a GPU's, whose locals are in registers.
constexpr uint64_t frame_factor = 2, recursive_frame_factor = 8;

// Linux lets a process have 65,530 mappings (vm.max_map_count), and a stack with a guard page is
// two. Further stacks have none, so that they are one mapping together and the rest of the program
// finds room.
constexpr uint32_t most_guard_pages = 16384;
std::atomic<uint32_t> guard_pages = 0; // of all pools

} // namespace

uint64_t kernelStackBytes(uint64_t frame_bytes, bool recursive, uint64_t stack_limit) {
  uint64_t bytes = base_stack_bytes + frame_factor * frame_bytes;
  if (recursive)
    bytes += std::max(recursive_stack_bytes, recursive_frame_factor * stack_limit);
  return bytes;
}

FiberPool::FiberPool(FiberMain main) : main_(main) {}

FiberPool::~FiberPool() {
  for (auto &fiber : all_)
    munmap(fiber->stack - pageSize(), fiber->stack_bytes + pageSize());
  guard_pages -= guarded_;
}

void FiberPool::prepare(Fiber &fiber) {
#ifdef HEDDLE_ASAN
  // Abandoned frames have left their red zones.
  __asan_unpoison_memory_region(fiber.stack, fiber.stack_bytes);
#endif
  fiber.context = ctx::make_fcontext(fiber.stack + fiber.stack_bytes, fiber.stack_bytes, enter);
}

Fiber *FiberPool::acquire(size_t stack_bytes) {
  for (auto fiber = idle_.rbegin(); fiber != idle_.rend(); ++fiber)
    if ((*fiber)->stack_bytes >= stack_bytes) {
      Fiber *found = *fiber;
      idle_.erase(std::next(fiber).base());
      found->level = level;
      return found;
    }
  stack_bytes = (stack_bytes + pageSize() - 1) / pageSize() * pageSize();
  void *memory = mmap(nullptr, stack_bytes + pageSize(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  // The guard page is a second line of defence after the check on entry of recursive functions.
  if (guard_pages < most_guard_pages && mprotect(memory, pageSize(), PROT_NONE) == 0) {
    ++guard_pages;
    ++guarded_;
  }
  auto fiber = std::make_unique<Fiber>();
  fiber->stack = static_cast<char *>(memory) + pageSize();
  fiber->stack_bytes = stack_bytes;
  fiber->main = main_;
  fiber->level = level;
  prepare(*fiber);
  all_.push_back(std::move(fiber));
  return all_.back().get();
}

void FiberPool::release(Fiber *fiber) { idle_.push_back(fiber); }

void FiberPool::abandonAll() {
  for (auto &fiber : all_)
    if (fiber->level >= level &&
        std::find(idle_.begin(), idle_.end(), fiber.get()) == idle_.end()) {
      prepare(*fiber);
      idle_.push_back(fiber.get());
    }
}

void *switchTo(Fiber &fiber, void *argument) {
  // A fiber that has not started needs its main function along with the argument; both kinds of
  // resumption pass a Start, so that the receiver need not distinguish them.
  Start start{fiber.main, argument};
  current.running = &fiber;
  beginSwitch(&current.scheduler_fake_stack, fiber.stack, fiber.stack_bytes);
  ctx::transfer_t transfer = ctx::jump_fcontext(fiber.context, &start);
  endSwitch(current.scheduler_fake_stack, nullptr, nullptr);
  fiber.context = transfer.fctx;
  current.running = nullptr;
  return transfer.data;
}

void *switchBack(void *value) {
  void *fake_stack = nullptr;
  beginSwitch(&fake_stack, current.scheduler_stack, current.scheduler_stack_bytes);
  ctx::transfer_t transfer = ctx::jump_fcontext(current.scheduler, value);
  endSwitch(fake_stack, nullptr, nullptr);
  current.scheduler = transfer.fctx;
  return static_cast<Start *>(transfer.data)->argument;
}

namespace {

struct Call {
  void (*body)(void *);
  void *argument;
};

void answerCalls(void *argument) {
  for (;;) {
    const Call &call = *static_cast<const Call *>(argument);
    const Switch own = std::exchange(current, {}); // it may switch to its own fibers
    call.body(call.argument);
    current = own;
    argument = switchBack(nullptr);
  }
}

} // namespace

void callOnOwnStack(void (*body)(void *), void *argument) {
  static thread_local FiberPool stacks(answerCalls);
  Fiber *fiber = stacks.acquire(launch_stack_bytes);
  const Switch around = std::exchange(current, {});
  const Fiber *const outer = std::exchange(own_stack, fiber);
  ++level;
  Call call{body, argument};
  switchTo(*fiber, &call);
  stacks.release(fiber);
  --level;
  own_stack = outer;
  current = around;
}

const Fiber *ownStack() { return own_stack; }

void leaveFiber() {
#ifdef HEDDLE_ASAN
  // The jump out of the fiber was not announced; tell the sanitizer that the OS thread's stack is
  // active.
  if (current.running) {
    void *fake_stack = nullptr;
    __sanitizer_start_switch_fiber(&fake_stack, current.scheduler_stack,
                                   current.scheduler_stack_bytes);
    __sanitizer_finish_switch_fiber(current.scheduler_fake_stack, nullptr, nullptr);
  }
#endif
  current.running = nullptr;
}

} // namespace heddle::engine
