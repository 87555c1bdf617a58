// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/optimize/loop_prefetch.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/iteration_step.h"
#include "engine/compiler/simd/analysis/suspend_points.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// The step of an induction variable, by which it grows in each iteration.
Value *stepOf(PHINode &phi, const Loop &loop, const DataLayout &data, IRBuilder<> &b) {
  const BasicBlock *latch = loop.getLoopLatch();
  auto *next = latch ? dyn_cast<Instruction>(phi.getIncomingValueForBlock(latch)) : nullptr;
  if (!next)
    return nullptr;
  if (auto *gep = dyn_cast<GetElementPtrInst>(next); gep && gep->getPointerOperand() == &phi &&
                                                     gep->getNumIndices() == 1 &&
                                                     loop.isLoopInvariant(gep->getOperand(1))) {
    const uint64_t size = data.getTypeAllocSize(gep->getSourceElementType());
    return b.CreateMul(b.CreateSExtOrTrunc(gep->getOperand(1), b.getInt64Ty()), b.getInt64(size));
  }
  if (next->getOpcode() != Instruction::Add && next->getOpcode() != Instruction::Sub)
    return nullptr;
  const bool first = next->getOperand(0) == &phi;
  Value *step = next->getOperand(first ? 1 : 0);
  if ((!first && (next->getOpcode() == Instruction::Sub || next->getOperand(1) != &phi)) ||
      !loop.isLoopInvariant(step))
    return nullptr;
  Value *wide = b.CreateSExtOrTrunc(step, b.getInt64Ty());
  return next->getOpcode() == Instruction::Sub ? b.CreateNeg(wide) : wide;
}

// The start value of an inner loop's induction variable whose steps are the same in each iteration
// of the outer loop; null if it is none.
Value *startOf(PHINode &phi, const Loop &loop, const LoopInfo &loops) {
  const Loop *inner = loops.getLoopFor(phi.getParent());
  const BasicBlock *before = inner->getLoopPredecessor(), *latch = inner->getLoopLatch();
  if (inner == &loop || inner->getHeader() != phi.getParent() || !before || !latch)
    return nullptr;
  const auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
  const bool steps = next && next->getOpcode() == Instruction::Add && next->getOperand(0) == &phi &&
                     loop.isLoopInvariant(next->getOperand(1));
  return steps ? phi.getIncomingValueForBlock(before) : nullptr;
}

// The growth of a pointer from one iteration of a loop to the next.
Value *growthInRounds(Value *pointer, const Loop &loop, const LoopInfo &loops,
                      const DataLayout &data, IRBuilder<> &builder) {
  const auto known = [&](Growth &growth, Value &value) -> std::optional<Value *> {
    if (loop.isLoopInvariant(&value))
      return builder.getInt64(0);
    auto *phi = dyn_cast<PHINode>(&value);
    if (!phi)
      return std::nullopt;
    if (phi->getParent() == loop.getHeader())
      return stepOf(*phi, loop, data, builder);
    Value *start = startOf(*phi, loop, loops);
    return start ? growth.of(start) : nullptr;
  };
  return Growth(builder, data, known).of(pointer);
}

// Loops that contain a barrier.
class Rounds {
public:
  explicit Rounds(const LoopInfo &loops) : loops_(loops) {
    for (const Loop *loop : loops.getLoopsInPreorder())
      if (hasBarriers(*loop))
        with_barriers_.insert(loop);
  }

  // The innermost such loop around the block, or null.
  const Loop *around(const BasicBlock &block) const {
    const Loop *loop = loops_.getLoopFor(&block);
    while (loop && !with_barriers_.contains(loop))
      loop = loop->getParentLoop();
    return loop;
  }

private:
  const LoopInfo &loops_;
  SmallPtrSet<const Loop *, 4> with_barriers_;
};

// Whether inner loops advance the address by at least a cache line per iteration. With shorter
// steps each line would be prefetched repeatedly.
bool takesLongSteps(Instruction &access, const Loop &loop, const LoopInfo &loops,
                    const DataLayout &data) {
  IRBuilder<> builder(&access);
  for (const Loop *inner = loops.getLoopFor(access.getParent()); inner != &loop;
       inner = inner->getParentLoop()) {
    Value *growth =
        growthInRounds(getLoadStorePointerOperand(&access), *inner, loops, data, builder);
    if (const auto *constant = dyn_cast_or_null<ConstantInt>(growth);
        constant && constant->getValue().abs().ult(line_bytes))
      return false;
  }
  return true;
}

bool goesToMemory(const Instruction &access) {
  const Value *pointer = getLoadStorePointerOperand(&access);
  return pointer && !access.isAtomic() && !access.isVolatile() &&
         pointer->getType()->getPointerAddressSpace() != shared_space &&
         !access.hasMetadata(LLVMContext::MD_invariant_load);
}

} // namespace

void prefetchNextIterations(Function &function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const DataLayout &data = function.getParent()->getDataLayout();
  const Rounds rounds(loops);
  SmallVector<std::pair<Instruction *, const Loop *>> accesses;
  for (BasicBlock &block : function)
    if (const Loop *loop = rounds.around(block))
      for (Instruction &instruction : block)
        if (goesToMemory(instruction))
          accesses.emplace_back(&instruction, loop);
  for (const auto &[access, loop] : accesses) {
    if (isa<LoadInst>(access))
      access->setMetadata(foreseen_load, MDNode::get(function.getContext(), {}));
    if (!takesLongSteps(*access, *loop, loops, data))
      continue;
    IRBuilder<> builder(access);
    Value *pointer = getLoadStorePointerOperand(access);
    Value *growth = growthInRounds(pointer, *loop, loops, data, builder);
    if (!growth || isZero(growth))
      continue;
    Value *next = builder.CreateGEP(builder.getInt8Ty(), pointer, growth);
    const uint64_t bytes = data.getTypeStoreSize(getLoadStoreType(access));
    callMarker(
        builder, prefetch_marker,
        {builder.CreateAddrSpaceCast(next, builder.getPtrTy()), builder.getInt32(uint32_t(bytes))});
  }
}

unsigned blocksAhead(Function &function) {
  constexpr uint64_t wanted = 24, most = 4; // bytes per thread: 6 KiB for 256 threads
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const Rounds rounds(loops);
  const DataLayout &data = function.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const BasicBlock &block : function)
    if (loops.getLoopDepth(&block) <= 1 && !rounds.around(block))
      for (const Instruction &instruction : block)
        if (isa<LoadInst>(instruction) && goesToMemory(instruction))
          bytes += data.getTypeStoreSize(instruction.getType());
  return unsigned(std::clamp<uint64_t>(bytes ? wanted / bytes : 1, 1, most));
}

} // namespace heddle::engine::simd
