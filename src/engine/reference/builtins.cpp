// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/reference/builtins.h"

#include "engine/device_heap.h"
#include "engine/print.h"
#include "engine/reference/block.h"

#include <chrono>

namespace heddle::engine::reference {
namespace {

Thread &threadOf(ThreadContext *context) { return *static_cast<Thread *>(context); }
Block &blockOf(ThreadContext *context) { return *static_cast<Block *>(context->block); }

// Where the device code that called us goes on: it names the source line in messages.
#define HEDDLE_CALLER (reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - 1)

uint32_t barrier(ThreadContext *context, uint32_t id, uint32_t count, BarrierReduction reduction,
                 uint32_t predicate) {
  return blockOf(context).waitAtBarrier(threadOf(context), id, count, reduction, predicate != 0);
}

void barrierArrive(ThreadContext *context, uint32_t id, uint32_t count) {
  blockOf(context).arriveAtBarrier(id, count);
}

uint32_t gridIsCooperative(ThreadContext *context) {
  return blockOf(context).grid().launch.cooperative;
}

void gridSync(ThreadContext *context) {
  if (!gridIsCooperative(context)) {
    RawFault fault;
    fault.kind = FaultKind::Trap;
    fault.code = HEDDLE_CALLER;
    fault.detail = "grid.sync() in a kernel that was not launched cooperatively";
    raiseFault(fault);
  }
  blockOf(context).waitForGrid(threadOf(context));
}

ValueAndPredicate ask(ThreadContext *context, WarpOperation operation, uint32_t mask, uint32_t mode,
                      uint64_t value, uint32_t lane = 0, uint32_t clamp = 0) {
  WarpRequest request;
  request.operation = operation;
  request.mask = mask;
  request.mode = mode;
  request.value = value;
  request.lane = lane;
  request.clamp = clamp;
  return blockOf(context).waitForWarp(threadOf(context), request);
}

void syncWarp(ThreadContext *context, uint32_t mask) {
  ask(context, WarpOperation::Sync, mask, 0, 0);
}

ValueAndPredicate shuffle(ThreadContext *context, ShuffleMode mode, uint32_t mask, uint32_t value,
                          uint32_t lane, uint32_t clamp) {
  return ask(context, WarpOperation::Shuffle, mask, uint32_t(mode), value, lane, clamp);
}

uint32_t vote(ThreadContext *context, VoteMode mode, uint32_t mask, uint32_t predicate) {
  return ask(context, WarpOperation::Vote, mask, uint32_t(mode), predicate).value;
}

uint32_t matchAny(ThreadContext *context, uint32_t mask, uint64_t value) {
  return ask(context, WarpOperation::MatchAny, mask, 0, value).value;
}

ValueAndPredicate matchAll(ThreadContext *context, uint32_t mask, uint64_t value) {
  return ask(context, WarpOperation::MatchAll, mask, 0, value);
}

uint32_t reduce(ThreadContext *context, ReduceOperation operation, uint32_t mask, uint32_t value) {
  return ask(context, WarpOperation::Reduce, mask, uint32_t(operation), value).value;
}

uint32_t activeMask(ThreadContext *context, uint32_t site) {
  return blockOf(context).converge(threadOf(context), site);
}

// On a GPU the lanes that execute a printf together write their lines in lane order, before any of
// them goes on. Waiting for them here gives the same output.
int32_t print(ThreadContext *context, uint32_t site, const char *format, const void *arguments) {
  Block &block = blockOf(context);
  block.converge(threadOf(context), site);
  return formatAndPrint(*block.grid().launch.device.print, format, arguments);
}

void *allocate(ThreadContext *context, uint64_t bytes) {
  return heapAllocate(blockOf(context).grid().launch.device, bytes);
}

void release(ThreadContext *context, void *pointer) {
  if (heapRelease(blockOf(context).grid().launch.device, pointer))
    return;
  RawFault fault;
  fault.kind = FaultKind::Trap;
  fault.address = pointer;
  fault.code = HEDDLE_CALLER;
  fault.detail = "free() or delete of a pointer that is not, or no longer, allocated";
  raiseFault(fault);
}

void yield(ThreadContext *context) { blockOf(context).yield(threadOf(context)); }

void assertFail(ThreadContext *, const char *expression, const char *file, uint32_t line,
                const char *function) {
  RawFault fault;
  fault.kind = FaultKind::Assert;
  fault.expression = expression;
  fault.file = file;
  fault.line = line;
  fault.function = function;
  raiseFault(fault);
}

void trap(ThreadContext *) {
  RawFault fault;
  fault.kind = FaultKind::Trap;
  fault.code = HEDDLE_CALLER;
  raiseFault(fault);
}

void exitThread(ThreadContext *context) { blockOf(context).endThread(threadOf(context)); }

void misaligned(ThreadContext *, const void *where) {
  RawFault fault;
  fault.kind = FaultKind::MisalignedAddress;
  fault.address = where;
  fault.code = HEDDLE_CALLER;
  raiseFault(fault);
}

void stackOverflow(ThreadContext *) {
  RawFault fault;
  fault.kind = FaultKind::StackOverflow;
  fault.code = HEDDLE_CALLER;
  raiseFault(fault);
}

uint64_t globalTimer(ThreadContext *) {
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::system_clock::now().time_since_epoch())
                      .count());
}

uint64_t clockCycles(ThreadContext *context) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const uint64_t ns = uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  // kHz is cycles per millisecond; in two steps, so that the product stays within 64 bits.
  const uint64_t khz = blockOf(context).grid().launch.device.clock_khz;
  return ns / 1000000 * khz + ns % 1000000 * khz / 1000000;
}

// PTX ISA, "isspacep": shared memory and the thread's own stack are windows of the generic space;
// everything else is global. Constants are an address range of the globals, not told apart.
uint32_t addressSpace(ThreadContext *context, const void *pointer) {
  enum { Global = 1, Shared = 3, Local = 5 };
  const char *address = static_cast<const char *>(pointer);
  const Block &block = blockOf(context);
  if (address >= block.shared && address < block.dynamic_shared + block.dynamic_shared_bytes)
    return Shared;
  const Fiber &fiber = *threadOf(context).fiber;
  if (address >= fiber.stack && address < fiber.stack + fiber.stack_bytes)
    return Local;
  return Global;
}

} // namespace

const RuntimeTable &runtimeTable() {
  static const RuntimeTable table = {barrier,     barrierArrive, gridSync,    gridIsCooperative,
                                     syncWarp,    shuffle,       vote,        matchAny,
                                     matchAll,    reduce,        activeMask,  print,
                                     allocate,    release,       yield,       assertFail,
                                     trap,        exitThread,    misaligned,  stackOverflow,
                                     globalTimer, clockCycles,   addressSpace};
  return table;
}

} // namespace heddle::engine::reference
