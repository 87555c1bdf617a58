// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/optimize/nontemporal_stores.h"

#include "engine/compiler/simd/analysis/grid_stride_loops.h"
#include "engine/compiler/simd/analysis/suspend_points.h"
#include "module/description/describe.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// An instruction by which other threads may learn of earlier stores. Threads of the same block run
// on one CPU, which observes its own stores in order.
bool signalsOthers(const Instruction &instruction) {
  if (instruction.isAtomic() || instruction.isVolatile())
    return true;
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && call->mayWriteToMemory() && !isPlainIntrinsic(*call) && !isPlainBarrier(*call);
}

bool isGlobal(const Value &pointer) {
  constexpr unsigned generic_space = 0, global_space = 1;
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == global_space || space == generic_space;
}

} // namespace

uint64_t markNontemporalStores(Function &function) {
  if (any_of(instructions(function), signalsOthers))
    return 0;
  SmallPtrSet<const Value *, 8> read;
  for (const Instruction &instruction : instructions(function))
    if (const auto *load = dyn_cast<LoadInst>(&instruction))
      read.insert(getUnderlyingObject(load->getPointerOperand()));
  const DataLayout &data = function.getParent()->getDataLayout();
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  uint64_t bytes = 0;
  for (Instruction &instruction : instructions(function)) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    const Loop *loop = loops.getLoopFor(instruction.getParent());
    if (!store || !isGlobal(*store->getPointerOperand()) || (loop && !hasGridStride(*loop)))
      continue;
    const Value *object = getUnderlyingObject(store->getPointerOperand());
    if (isa<AllocaInst, GlobalVariable>(object) || read.contains(object))
      continue;
    store->setMetadata(streaming_store, MDNode::get(function.getContext(), {}));
    bytes += data.getTypeStoreSize(store->getValueOperand()->getType());
  }
  return bytes;
}

} // namespace heddle::engine::simd
