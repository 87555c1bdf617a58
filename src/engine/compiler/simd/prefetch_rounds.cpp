// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/prefetch_rounds.h"

#include "engine/compiler/simd/address_offset.h"
#include "engine/compiler/simd/markers.h"
#include "engine/compiler/simd/waiting.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// By how much a value grows from one round of a loop to the next, as an i64 (of pointers in bytes).
// It only has to be right as a rule: nothing but a hint depends on it. (LLVM's ScalarEvolution is
// always right, and so says nothing of indices that may wrap in 32 bits.)
class Growth {
public:
  Growth(const Loop &loop, const LoopInfo &loops, const DataLayout &data, IRBuilder<> &builder)
      : loop_(loop), loops_(loops), data_(data), b_(builder) {}

  // Null if that is not known, or too much code.
  Value *of(Value *value) {
    if (loop_.isLoopInvariant(value))
      return b_.getInt64(0);
    if (const auto found = known_.find(value); found != known_.end())
      return found->second;
    if (known_.size() > most_values)
      return nullptr;
    known_[value] = nullptr; // until it is known
    return known_[value] = compute(*cast<Instruction>(value));
  }

private:
  static constexpr unsigned most_values = 32;

  Value *compute(Instruction &instruction) {
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      return phi->getParent() == loop_.getHeader() ? step(*phi) : start(*phi);
    if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
      return growthOf(*gep, data_, b_, [&](Value *part) { return of(part); });
    switch (instruction.getOpcode()) {
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::AddrSpaceCast:
    case Instruction::Freeze:
      return of(instruction.getOperand(0));
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
      return sum(cast<BinaryOperator>(instruction));
    case Instruction::Mul:
    case Instruction::Shl:
      return product(cast<BinaryOperator>(instruction));
    default:
      return loop_.hasLoopInvariantOperands(&instruction) ? b_.getInt64(0) : nullptr;
    }
  }

  Value *sum(BinaryOperator &operation) {
    Value *left = of(operation.getOperand(0)), *right = of(operation.getOperand(1));
    if (!left || !right)
      return nullptr;
    return operation.getOpcode() == Instruction::Sub ? b_.CreateSub(left, right)
                                                     : b_.CreateAdd(left, right);
  }

  Value *product(BinaryOperator &operation) {
    for (const unsigned i : {0u, 1u}) {
      Value *factor = operation.getOperand(1 - i), *grows = operation.getOperand(i);
      if (i == 1 && operation.getOpcode() == Instruction::Shl)
        return nullptr;
      if (!loop_.isLoopInvariant(factor))
        continue;
      Value *growth = of(grows);
      if (!growth)
        return nullptr;
      Value *wide = b_.CreateSExtOrTrunc(factor, b_.getInt64Ty());
      return operation.getOpcode() == Instruction::Shl ? b_.CreateShl(growth, wide)
                                                       : b_.CreateMul(growth, wide);
    }
    return nullptr;
  }

  // Of a counter of an inner loop, which goes through the same steps in each round of the outer
  // one: where it starts.
  Value *start(PHINode &phi) {
    const Loop *inner = loops_.getLoopFor(phi.getParent());
    const BasicBlock *before = inner->getLoopPredecessor(), *latch = inner->getLoopLatch();
    if (inner == &loop_ || inner->getHeader() != phi.getParent() || !before || !latch)
      return nullptr;
    const auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
    const bool steps = next && next->getOpcode() == Instruction::Add &&
                       next->getOperand(0) == &phi && loop_.isLoopInvariant(next->getOperand(1));
    return steps ? of(phi.getIncomingValueForBlock(before)) : nullptr;
  }

  // Of a counter: what its round adds to it.
  Value *step(PHINode &phi) {
    const BasicBlock *latch = loop_.getLoopLatch();
    auto *next = latch ? dyn_cast<Instruction>(phi.getIncomingValueForBlock(latch)) : nullptr;
    if (!next)
      return nullptr;
    if (auto *gep = dyn_cast<GetElementPtrInst>(next); gep && gep->getPointerOperand() == &phi &&
                                                       gep->getNumIndices() == 1 &&
                                                       loop_.isLoopInvariant(gep->getOperand(1))) {
      const uint64_t size = data_.getTypeAllocSize(gep->getSourceElementType());
      return b_.CreateMul(b_.CreateSExtOrTrunc(gep->getOperand(1), b_.getInt64Ty()),
                          b_.getInt64(size));
    }
    if (next->getOpcode() != Instruction::Add && next->getOpcode() != Instruction::Sub)
      return nullptr;
    const bool first = next->getOperand(0) == &phi;
    Value *step = next->getOperand(first ? 1 : 0);
    if ((!first && (next->getOpcode() == Instruction::Sub || next->getOperand(1) != &phi)) ||
        !loop_.isLoopInvariant(step))
      return nullptr;
    Value *wide = b_.CreateSExtOrTrunc(step, b_.getInt64Ty());
    return next->getOpcode() == Instruction::Sub ? b_.CreateNeg(wide) : wide;
  }

  const Loop &loop_;
  const LoopInfo &loops_;
  const DataLayout &data_;
  IRBuilder<> &b_;
  DenseMap<Value *, Value *> known_;
};

// The innermost loop around the block with a barrier in it.
const Loop *loopWithBarrier(const BasicBlock &block, const LoopInfo &loops) {
  for (const Loop *loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
    for (const BasicBlock *inside : loop->blocks())
      if (any_of(*inside, [](const Instruction &i) { return isBlockBarrier(i); }))
        return loop;
  return nullptr;
}

// Within a round, inner loops take it from line to line. In shorter steps, each line would be asked
// for again and again.
bool takesLongSteps(Instruction &access, const Loop &loop, const LoopInfo &loops,
                    const DataLayout &data) {
  IRBuilder<> builder(&access);
  for (const Loop *inner = loops.getLoopFor(access.getParent()); inner != &loop;
       inner = inner->getParentLoop()) {
    Value *growth = Growth(*inner, loops, data, builder).of(getLoadStorePointerOperand(&access));
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

void prefetchNextRounds(Function &function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const DataLayout &data = function.getParent()->getDataLayout();
  SmallVector<std::pair<Instruction *, const Loop *>> accesses;
  for (BasicBlock &block : function)
    if (const Loop *loop = loopWithBarrier(block, loops))
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
    Value *growth = Growth(*loop, loops, data, builder).of(pointer);
    if (const auto *constant = dyn_cast_or_null<ConstantInt>(growth);
        !growth || (constant && constant->isZero()))
      continue;
    Value *next = builder.CreateGEP(builder.getInt8Ty(), pointer, growth);
    const uint64_t bytes = data.getTypeStoreSize(getLoadStoreType(access));
    callMarker(
        builder, prefetch_marker,
        {builder.CreateAddrSpaceCast(next, builder.getPtrTy()), builder.getInt32(uint32_t(bytes))});
  }
}

unsigned blocksAhead(Function &function) {
  constexpr uint64_t wanted = 24, most = 4; // bytes of a thread: of 256 threads, 6 KiB
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const DataLayout &data = function.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const BasicBlock &block : function)
    if (loops.getLoopDepth(&block) <= 1 && !loopWithBarrier(block, loops))
      for (const Instruction &instruction : block)
        if (isa<LoadInst>(instruction) && goesToMemory(instruction))
          bytes += data.getTypeStoreSize(instruction.getType());
  return unsigned(std::clamp<uint64_t>(bytes ? wanted / bytes : 1, 1, most));
}

} // namespace heddle::engine::simd
