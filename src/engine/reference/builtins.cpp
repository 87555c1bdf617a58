// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/reference/builtins.h"

#include "engine/abi_extensions.h"
#include "engine/observe/counts.h"
#include "engine/observe/services.h"
#include "engine/print.h"
#include "engine/reference/block.h"
#include "engine/schedule/services.h"

namespace heddle::engine::reference {
namespace {

Thread &threadOf(ThreadContext *context) { return *static_cast<Thread *>(context); }
Block &blockOf(ThreadContext *context) { return *static_cast<Block *>(context->block); }

// The return address in device code.
#define CALLER (reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - 1)

uint32_t barrier(ThreadContext *context, uint32_t id, uint32_t count, BarrierReduction reduction,
                 uint32_t predicate) {
  return blockOf(context).waitAtBarrier(threadOf(context), id, count, reduction, predicate != 0);
}

void gridSync(ThreadContext *context) {
  if (!services::gridIsCooperative(context))
    services::raiseNotCooperative(context, CALLER);
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

void multiplyMatrices(ThreadContext *context, uint32_t operation, uint32_t *registers) {
  ask(context, matrix_product, ~0u, operation, uintptr_t(registers));
}

uint32_t activeMask(ThreadContext *context, uint32_t site) {
  return blockOf(context).converge(threadOf(context), site);
}

// On a GPU the lanes that execute a printf together write their lines in lane order before any of
// them continues. Waiting for convergence here gives the same output.
int32_t print(ThreadContext *context, uint32_t site, const char *format, const void *arguments) {
  Block &block = blockOf(context);
  block.converge(threadOf(context), site);
  return formatAndPrint(*block.grid().launch.device.print, format, arguments);
}

void yield(ThreadContext *context) { blockOf(context).yield(threadOf(context)); }

void exitThread(ThreadContext *context) { blockOf(context).endThread(threadOf(context)); }

uint32_t addressSpace(ThreadContext *context, const void *pointer) {
  const Fiber &fiber = *threadOf(context).fiber;
  return services::addressSpace(context, pointer, fiber.holds(pointer));
}

} // namespace

const RuntimeTable &runtimeTable() {
  static const ExtendedRuntimeTable table = [] {
    ExtendedRuntimeTable all{services::common(),
                             nullptr,
                             observe::tellThread,
                             observe::tellWarp,
                             observe::tellRows,
                             nullptr,
                             nullptr,
                             nullptr,
                             observe::countThread,
                             nullptr,
                             nullptr,
                             observe::countThreadFetch,
                             nullptr,
                             observe::tellThreadFetch};
    all.barrier = barrier;
    all.grid_sync = gridSync;
    all.sync_warp = syncWarp;
    all.shuffle = shuffle;
    all.vote = vote;
    all.match_any = matchAny;
    all.match_all = matchAll;
    all.reduce = reduce;
    all.multiply_matrices = multiplyMatrices;
    all.active_mask = activeMask;
    all.print = print;
    all.yield = yield;
    all.exit = exitThread;
    all.address_space = addressSpace;
    return all;
  }();
  return table;
}

} // namespace heddle::engine::reference
