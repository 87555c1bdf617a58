// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/suspend_points.h"

#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/analysis/warp_uniformity.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/form/loop_form.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr int64_t spin_rounds = 256; // iterations before other threads get a turn

CallInst *suspend(IRBuilder<> &b, Suspension kind, Value *first = nullptr, Value *second = nullptr,
                  Value *third = nullptr) {
  const auto or_zero = [&](Value *value) { return value ? value : b.getInt32(0); };
  return callMarker(
      b, suspend_marker,
      {b.getInt32(0), b.getInt32(uint32_t(kind)), or_zero(first), or_zero(second), or_zero(third)});
}

Value *requestField(IRBuilder<> &b, uint64_t offset) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), callMarker(b, request_marker), offset);
}

// ---- Barriers of the block ----

void suspendAtBarrier(CallBase &call, const BarrierForm &form) {
  IRBuilder<> b(&call);
  const auto argument = [&](int i) { return i < 0 ? nullptr : call.getArgOperand(unsigned(i)); };
  if (form.predicate >= 0)
    b.CreateStore(b.CreateZExt(argument(form.predicate), b.getInt64Ty()),
                  requestField(b, offsetof(WarpRequest, value)));
  suspend(b, Suspension::Barrier, argument(form.id), argument(form.count),
          b.getInt32(uint32_t(form.reduction)));
  if (!call.getType()->isVoidTy()) {
    // The result is the same for the block.
    Value *answer = b.CreateLoad(b.getInt32Ty(), requestField(b, offsetof(WarpRequest, result)));
    call.replaceAllUsesWith(callMarker(b, first_marker, {answer}));
  }
  call.eraseFromParent();
}

// In a gang that is the whole block and never diverges at suspend points, all threads are here
// already. Only the order of memory accesses must be kept.
void meetAtOnce(CallBase &call) {
  IRBuilder<> b(&call);
  b.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
  call.eraseFromParent();
}

void suspendAtGridBarrier(CallBase &call) {
  IRBuilder<> b(&call);
  suspend(b, Suspension::GridBarrier);
  call.eraseFromParent();
}

// ---- Warp operations in divergent code ----

void writeRequest(IRBuilder<> &b, CallBase &call, const WarpForm &form) {
  const auto store = [&](Value *value, uint64_t offset) {
    b.CreateStore(value, requestField(b, offset));
  };
  const auto argument = [&](int i) { return call.getArgOperand(unsigned(i)); };
  Value *value = form.value < 0 ? b.getInt64(0) : argument(form.value);
  if (value->getType()->isFloatTy())
    value = b.CreateBitCast(value, b.getInt32Ty());
  store(b.CreateZExt(value, b.getInt64Ty()), offsetof(WarpRequest, value));
  Value *own = b.CreateShl(b.getInt32(1), callMarker(b, lane_marker));
  store(b.CreateOr(argument(int(form.mask)), own), offsetof(WarpRequest, mask));
  if (form.lane >= 0) {
    store(argument(form.lane), offsetof(WarpRequest, lane));
    store(argument(form.clamp), offsetof(WarpRequest, clamp));
  }
}

Value *readAnswer(IRBuilder<> &b, CallBase &call, const WarpForm &form) {
  if (call.getType()->isVoidTy())
    return nullptr;
  const uint64_t result = offsetof(WarpRequest, result);
  Value *value = b.CreateLoad(b.getInt32Ty(), requestField(b, result));
  if (!form.pair) {
    if (call.getType()->isFloatTy())
      return b.CreateBitCast(value, call.getType());
    return b.CreateTrunc(value, call.getType());
  }
  Type *type = call.getType()->getStructElementType(0);
  if (type->isFloatTy())
    value = b.CreateBitCast(value, type);
  Value *predicate = b.CreateIsNotNull(b.CreateLoad(
      b.getInt32Ty(), requestField(b, result + offsetof(ValueAndPredicate, predicate))));
  Value *pair = PoisonValue::get(call.getType());
  return b.CreateInsertValue(b.CreateInsertValue(pair, value, 0), predicate, 1);
}

// Whether, in every warp that reaches it, the lanes that do are those of its mask: `if (threadIdx.x
// < 8) value = __shfl_down_sync(0xff, value, 1)`.
bool isReachedByItsMask(const CallBase &call, const ShapedCode &code, const LaneLayout &layout) {
  const auto form = warpForm(calledName(call));
  const auto *mask = form ? dyn_cast<ConstantInt>(call.getArgOperand(form->mask)) : nullptr;
  if (!mask || layout.kind != LaneLayout::Kind::Row || layout.lanes != warp_lanes || !layout.full)
    return false;
  const auto [branch, wanted] = branchTo(*call.getParent());
  if (!branch || code.shapes.isDivergent(branch->getParent()) ||
      code.loops.getLoopFor(call.getParent()) != code.loops.getLoopFor(branch->getParent()))
    return false;
  const auto lanes = lanesOfWarpsThatPass(*branch->getCondition(), wanted);
  return lanes && *lanes == mask->getZExtValue();
}

// If all lanes of the mask are here, the common case, the operation is done at once; else the
// thread suspends until the others arrive, from whatever path.
void suspendAtWarpOperation(CallBase &call, const WarpForm &form) {
  IRBuilder<> b(&call);
  Value *together = callMarker(b, together_marker, {call.getArgOperand(form.mask)});
  Instruction *direct_end = nullptr, *wait_end = nullptr;
  SplitBlockAndInsertIfThenElse(together, call.getIterator(), &direct_end, &wait_end,
                                MDBuilder(call.getContext()).createLikelyBranchWeights());
  BasicBlock *joined = call.getParent();
  call.moveBefore(direct_end);
  b.SetInsertPoint(wait_end);
  b.SetCurrentDebugLocation(call.getDebugLoc());
  writeRequest(b, call, form);
  suspend(b, Suspension::Collective, b.getInt32(uint32_t(form.operation)), b.getInt32(form.mode));
  Value *answer = readAnswer(b, call, form);
  if (!answer)
    return;
  b.SetInsertPoint(joined, joined->begin());
  PHINode *phi = b.CreatePHI(call.getType(), 2, "answer");
  call.replaceAllUsesWith(phi);
  phi->addIncoming(&call, direct_end->getParent());
  phi->addIncoming(answer, wait_end->getParent());
}

// ---- Loops that may wait ----

// Reads memory that other threads may change during the loop.
bool observesOthers(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isVolatile() || load->isAtomic();
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction);
}

// Whether the loop's exit depends on such reads, through data or through branches.
class LoopDependence {
public:
  LoopDependence(const Loop &loop, const DominatorTree &dominators)
      : loop_(loop), dominators_(dominators) {
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block)
          if (!observed_.contains(&instruction) && depends(instruction)) {
            observed_.insert(&instruction);
            changed = true;
          }
    }
  }

  bool endsByObservation() const {
    SmallVector<BasicBlock *> exiting;
    loop_.getExitingBlocks(exiting);
    const BasicBlock *latch = loop_.getLoopLatch();
    return any_of(exiting, [&](BasicBlock *block) {
      if (observed_.contains(block->getTerminator()))
        return true;
      // An exit test that every iteration executes is not itself control dependent on a read.
      return !(latch && dominators_.dominates(block, latch)) && chosenByObservation(block);
    });
  }

private:
  bool depends(const Instruction &instruction) const {
    if (observesOthers(instruction))
      return true;
    if (any_of(instruction.operands(), [&](const Use &operand) {
          const auto *other = dyn_cast<Instruction>(operand);
          return other && observed_.contains(other);
        }))
      return true;
    return isa<PHINode>(instruction) && instruction.getParent() != loop_.getHeader() &&
           chosenByObservation(instruction.getParent());
  }

  // Whether a branch between the block and its immediate dominator depends on such a read.
  bool chosenByObservation(const BasicBlock *block) const {
    const auto *node = dominators_.getNode(block)->getIDom();
    if (!node || !loop_.contains(node->getBlock()) || block == loop_.getHeader())
      return false;
    SmallVector<const BasicBlock *> work(predecessors(block));
    SmallPtrSet<const BasicBlock *, 16> seen(work.begin(), work.end());
    while (!work.empty()) {
      const BasicBlock *above = work.pop_back_val();
      if (observed_.contains(above->getTerminator()))
        return true;
      if (above == node->getBlock())
        continue;
      for (const BasicBlock *next : predecessors(above))
        if (seen.insert(next).second)
          work.push_back(next);
    }
    return false;
  }

  const Loop &loop_;
  const DominatorTree &dominators_;
  SmallPtrSet<const Instruction *, 32> observed_;
};

void suspendInLoop(BasicBlock &header) {
  IRBuilder<> b(&*header.getFirstInsertionPt());
  Value *budget_place = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), header.getParent()->getArg(0),
                                                     offsetof(ThreadContext, spin_budget));
  Value *rest = b.CreateSub(b.CreateLoad(b.getInt64Ty(), budget_place), b.getInt64(1));
  b.CreateStore(rest, budget_place);
  Value *used_up = b.CreateICmpSLT(rest, b.getInt64(0));
  Instruction *then =
      SplitBlockAndInsertIfThen(used_up, b.GetInsertPoint(), false,
                                MDBuilder(header.getContext()).createUnlikelyBranchWeights());
  b.SetInsertPoint(then);
  b.CreateStore(b.getInt64(spin_rounds), budget_place);
  suspend(b, Suspension::Yield);
}

std::vector<BasicBlock *> waitingLoops(const LoopInfo &loops, const DominatorTree &dominators) {
  std::vector<BasicBlock *> headers;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (LoopDependence(*loop, dominators).endsByObservation())
      headers.push_back(loop->getHeader());
  return headers;
}

// ---- Where the lanes of a warp may be split ----

// Whether lanes that execute it at different times may get different values from the same operands.
bool dependsOnTime(const Instruction &instruction) {
  if (observesOthers(instruction) || calledName(instruction) == "llvm.nvvm.activemask")
    return true;
  const auto *load = dyn_cast<LoadInst>(&instruction);
  return load && !load->hasMetadata(LLVMContext::MD_invariant_load);
}

// Tracks where lanes of a warp may be split into groups. They split at suspend points in divergent
// code (barriers, warp operations, waiting loops). They join at a barrier of the block, or an
// operation of the whole warp, that all lanes execute, provided that uniform values are still
// equal: groups that have read changing memory at different times cannot continue as one. If
// threads wait for earlier blocks individually, code before that loop needs no support for split
// warps.
class PartedLanes {
public:
  PartedLanes(Function &function, const ShapedCode &code, const LaneLayout &layout,
              ArrayRef<BasicBlock *> waiting)
      : code_(code), layout_(layout), waiting_(waiting.begin(), waiting.end()) {
    // With barriers in divergent code, threads may wait at different ones.
    one_barrier_ = none_of(instructions(function), [&](const Instruction &instruction) {
      return isBlockBarrier(instruction) && code.shapes.isDivergent(instruction.getParent());
    });
    spread(function);
    if (any_of(instructions(function), [&](const Instruction &instruction) {
          return dependsOnTime(instruction) && code.shapes.of(&instruction).hasBase() &&
                 !code.shapes.isDivergent(instruction.getParent()) && partedBefore(instruction);
        })) {
      may_join_ = false;
      spread(function);
    }
  }

  // Whether lanes of the operation's mask may be elsewhere.
  bool mayBeElsewhere(const CallBase &operation) const {
    return parts(operation) || partedBefore(operation);
  }

private:
  void spread(const Function &function) {
    SmallVector<const BasicBlock *> work;
    for (const BasicBlock &block : function)
      work.push_back(&block);
    while (!work.empty()) {
      const BasicBlock *block = work.pop_back_val();
      if (partedBefore(*block->getTerminator()))
        for (const BasicBlock *next : successors(block))
          if (parted_.insert(next).second)
            work.push_back(next);
    }
  }

  bool parts(const Instruction &instruction) const {
    if (!code_.shapes.isDivergent(instruction.getParent()))
      return false;
    return isBlockBarrier(instruction) ||
           (isWarpOperation(instruction) &&
            !isReachedByItsMask(cast<CallBase>(instruction), code_, layout_));
  }

  bool joins(const Instruction &instruction) const {
    if (!may_join_ || code_.shapes.isDivergent(instruction.getParent()))
      return false;
    if (isBlockBarrier(instruction))
      return one_barrier_ && isPlainBarrier(instruction);
    const auto form = warpForm(calledName(instruction));
    const auto *mask =
        form ? dyn_cast<ConstantInt>(cast<CallBase>(instruction).getArgOperand(form->mask))
             : nullptr;
    return mask && mask->isMinusOne();
  }

  bool startsParted(const BasicBlock &block) const {
    return parted_.contains(&block) ||
           (waiting_.contains(&block) && code_.shapes.isDivergent(&block));
  }

  bool partedBefore(const Instruction &place) const {
    bool parted = startsParted(*place.getParent());
    for (const Instruction &instruction : *place.getParent()) {
      if (&instruction == &place)
        break;
      parted = parts(instruction) || (parted && !joins(instruction));
    }
    return parted;
  }

  const ShapedCode &code_;
  const LaneLayout &layout_;
  const SmallPtrSet<const BasicBlock *, 8> waiting_;
  SmallPtrSet<const BasicBlock *, 16> parted_; // blocks that may be entered by split groups
  bool one_barrier_ = true, may_join_ = true;
};

} // namespace

bool isWarpOperation(const Value &value) { return warpForm(calledName(value)).has_value(); }
bool isBlockBarrier(const Value &value) {
  const StringRef name = calledName(value);
  return barrierForm(name) || name == "__heddle_grid_sync";
}

bool isPlainBarrier(const Value &value) {
  const auto form = barrierForm(calledName(value));
  if (!form || form->reduction != BarrierReduction::None || form->count >= 0)
    return false;
  const auto *id =
      form->id < 0 ? nullptr : dyn_cast<ConstantInt>(cast<CallBase>(value).getArgOperand(form->id));
  return form->id < 0 || (id && id->isZero());
}

bool hasBarriers(const Loop &loop) {
  return any_of(loop.blocks(),
                [](const BasicBlock *block) { return any_of(*block, isBlockBarrier); });
}

bool hasWaitingLoops(const Function &function) {
  auto &code = const_cast<Function &>(function); // LLVM's analyses take non-const functions
  const DominatorTree dominators(code);
  const LoopInfo loops(dominators);
  return !waitingLoops(loops, dominators).empty();
}

void markSuspendPoints(Function &function, const LaneLayout &layout) {
  SmallVector<CallBase *> barriers, operations;
  SmallPtrSet<const CallBase *, 8> elsewhere; // operations that may have to wait for lanes
  std::vector<BasicBlock *> headers;
  bool may_part = false; // lanes of a warp may wait at different places
  {
    const ShapedCode code(function, layout);
    const Shapes &shapes = code.shapes;
    headers = waitingLoops(code.loops, code.dominators);
    for (BasicBlock *header : headers)
      may_part |= shapes.isDivergent(header);
    for (Instruction &instruction : instructions(function)) {
      const bool warp = isWarpOperation(instruction), block = isBlockBarrier(instruction);
      if (!warp && !block)
        continue;
      if (block || !partsByWarps(layout))
        may_part |= shapes.isDivergent(instruction.getParent()) &&
                    (block || !isReachedByItsMask(cast<CallBase>(instruction), code, layout));
      (block ? barriers : operations).push_back(cast<CallBase>(&instruction));
    }
    if (may_part) {
      const PartedLanes parted(function, code, layout, headers);
      for (const CallBase *call : operations)
        if (partsByWarps(layout) || parted.mayBeElsewhere(*call))
          elsewhere.insert(call);
    }
  }
  for (BasicBlock *header : headers)
    suspendInLoop(*header);
  for (CallBase *call : operations)
    if (elsewhere.contains(call))
      suspendAtWarpOperation(*call, *warpForm(calledName(*call)));
  for (CallBase *call : barriers) {
    if (layout.whole && !may_part && isPlainBarrier(*call))
      meetAtOnce(*call);
    else if (const auto form = barrierForm(calledName(*call)))
      suspendAtBarrier(*call, *form);
    else
      suspendAtGridBarrier(*call);
  }
  canonicalizeLoops(function);
}

} // namespace heddle::engine::simd
