// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/services.h"

#include "engine/abi_extensions.h"
#include "engine/matrix/multiply.h"
#include "engine/observe/counts.h"
#include "engine/observe/services.h"
#include "engine/print.h"
#include "engine/schedule/services.h"
#include "engine/simd/block.h"
#include "engine/warp.h"

namespace heddle::engine::simd {
namespace {

Block &blockOf(ThreadContext *context) { return *static_cast<Block *>(context->block); }

[[noreturn]] void mustNotWait(ThreadContext *context, const char *what) {
  RawFault fault;
  fault.kind = FaultKind::Trap;
  fault.detail = what;
  blockOf(context).blame(context);
  raiseFault(fault);
}

#define CANNOT(service) "internal error: SIMD code has called the engine's " service

uint32_t barrier(ThreadContext *context, uint32_t, uint32_t, BarrierReduction, uint32_t) {
  mustNotWait(context, CANNOT("barrier"));
}
void gridSync(ThreadContext *context) { mustNotWait(context, CANNOT("grid_sync")); }
void syncWarp(ThreadContext *context, uint32_t) { mustNotWait(context, CANNOT("sync_warp")); }
ValueAndPredicate shuffle(ThreadContext *context, ShuffleMode, uint32_t, uint32_t, uint32_t,
                          uint32_t) {
  mustNotWait(context, CANNOT("shuffle"));
}
uint32_t vote(ThreadContext *context, VoteMode, uint32_t, uint32_t) {
  mustNotWait(context, CANNOT("vote"));
}
uint32_t matchAny(ThreadContext *context, uint32_t, uint64_t) {
  mustNotWait(context, CANNOT("match_any"));
}
ValueAndPredicate matchAll(ThreadContext *context, uint32_t, uint64_t) {
  mustNotWait(context, CANNOT("match_all"));
}
uint32_t reduce(ThreadContext *context, ReduceOperation, uint32_t, uint32_t) {
  mustNotWait(context, CANNOT("reduce"));
}
void multiplyAlone(ThreadContext *context, uint32_t, uint32_t *) {
  mustNotWait(context, CANNOT("multiply_matrices"));
}
void multiply(GangContext *, uint32_t operation, const uint32_t *a, const uint32_t *b,
              const uint32_t *c, uint32_t *d) {
  multiplyMatrices(MatrixOperation::decode(operation), {a, b, c, d});
}
uint32_t activeMask(ThreadContext *context, uint32_t) {
  mustNotWait(context, CANNOT("active_mask"));
}
void exitThread(ThreadContext *context) { mustNotWait(context, CANNOT("exit")); }

int32_t print(ThreadContext *context, uint32_t, const char *format, const void *arguments) {
  return formatAndPrint(*blockOf(context).grid().launch.device.print, format, arguments);
}

// A scalar callee runs to its end, whichever lanes wait.
void yield(ThreadContext *context) { context->spin_budget = spin_quantum; }

uint32_t addressSpace(ThreadContext *context, const void *pointer) {
  return services::addressSpace(context, pointer, blockOf(context).isLocal(pointer));
}

void evaluateRequests(GangContext *gang, uint32_t lanes) { evaluate(gang->requests, lanes); }

} // namespace

const RuntimeTable &runtimeTable() {
  static const ExtendedRuntimeTable table = [] {
    ExtendedRuntimeTable all{services::common(),    nullptr,
                             observe::tellThread,   observe::tellWarp,
                             observe::tellRows,     observe::countAccess,
                             observe::countPattern, observe::countDivergence,
                             observe::countThread,  observe::countFetch,
                             observe::countVisit,   observe::countThreadFetch,
                             observe::tellFetch,    observe::tellThreadFetch};
    all.barrier = barrier;
    all.grid_sync = gridSync;
    all.sync_warp = syncWarp;
    all.shuffle = shuffle;
    all.vote = vote;
    all.match_any = matchAny;
    all.match_all = matchAll;
    all.reduce = reduce;
    all.multiply_matrices = multiplyAlone;
    all.multiply_of_warp = multiply;
    all.active_mask = activeMask;
    all.print = print;
    all.yield = yield;
    all.exit = exitThread;
    all.address_space = addressSpace;
    all.evaluate = evaluateRequests;
    return all;
  }();
  return table;
}

} // namespace heddle::engine::simd
