// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/widen.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/prefix_predicates.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/calls/widen_matrix.h"
#include "engine/compiler/simd/widen/gang_function.h"
#include "engine/compiler/simd/widen/kinds/widen_interleaved.h"
#include "engine/compiler/simd/widen/memory/lane_rmw.h"
#include "engine/compiler/simd/widen/memory/strided_rmw.h"
#include "engine/compiler/simd/widen/memory/widen_prefetch.h"
#include "engine/compiler/simd/widen/state_loops.h"
#include "engine/compiler/simd/widen/tiled_values.h"
#include "engine/compiler/simd/widen/vector_builder.h"
#include "engine/compiler/simd/widen/widen_instruction.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/CFG.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {

static void widenTerminator(VectorBuilder &v, Instruction &terminator) {
  if (auto *branch = dyn_cast<BranchInst>(&terminator)) {
    if (!branch->isConditional()) {
      v.b.CreateBr(v.heads[branch->getSuccessor(0)]);
    } else {
      auto *copy =
          v.b.CreateCondBr(v.scalarOf(branch->getCondition()), v.heads[branch->getSuccessor(0)],
                           v.heads[branch->getSuccessor(1)]);
      copy->copyMetadata(*branch);
      const Value *condition = branch->getCondition();
      const StringRef name = calledName(*condition);
      if (name == any_marker || name == all_marker)
        condition = cast<CallInst>(condition)->getArgOperand(0);
      MDNode *mark = MDNode::get(v.function->getContext(), {});
      if (v.mask.allActive() && holdsForLeadingThreads(*condition))
        copy->setMetadata(leading_branch, mark);
      if (v.mask.allActive() && holdsOnlyBelow(*condition, v.lanes))
        copy->setMetadata(first_gang_branch, mark);
    }
  } else if (isa<ReturnInst>(terminator)) {
    endGang(v);
  } else if (isa<UnreachableInst>(terminator)) {
    v.b.CreateUnreachable();
  } else {
    throw Unsupported("it has a control instruction that is not supported");
  }
}

static void widenBlock(VectorBuilder &v, BasicBlock &block) {
  v.b.SetInsertPoint(v.heads[&block]);
  v.mask.setAll();
  forgetFragments(v);
  gatherPrefetched(v, block);
  Update update;    // in progress
  InPlace in_place; // in progress
  for (Instruction &instruction : block) {
    v.b.SetCurrentDebugLocation(instruction.getDebugLoc());
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && update.empty()) {
      in_place = changeInPlace(v, *load);
      update = in_place.members.empty() ? updateBeginningWith(v, *load) : in_place.members;
    }
    const bool in_update = is_contained(update, &instruction);
    if ((!in_update || in_place.members.empty()) && !mayStayBehind(v, instruction))
      finishChanges(v);
    if (in_update) {
      if (&instruction != update.back())
        continue;
      if (in_place.members.empty())
        widenUpdate(v, update);
      else
        widenInPlace(v, in_place);
      update.clear();
    } else if (instruction.isTerminator()) {
      const BasicBlock *next = block.getSingleSuccessor();
      if (!next || !next->getSinglePredecessor()) // otherwise `next` is widened next
        finishChanges(v);
      v.tails[&block] = v.b.GetInsertBlock();
      v.emitters.prefetched_at[&block] = v.emitters.prefetched;
      widenTerminator(v, instruction);
    } else {
      widenInstruction(v, instruction);
    }
  }
}

static void completePhis(VectorBuilder &v) {
  for (BasicBlock &block : v.thread)
    for (PHINode &phi : block.phis()) {
      if (v.shape(&phi).isTiledAffine()) {
        completeRowPhis(v, phi);
        continue;
      }
      const bool scalar = v.scalars.count(&phi);
      auto *copy = cast<PHINode>(scalar ? v.scalars[&phi] : v.vectors[&phi]);
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        BasicBlock *from = phi.getIncomingBlock(i);
        if (!v.tails.count(from))
          continue; // unreachable
        Value *value = phi.getIncomingValue(i);
        copy->addIncoming(scalar ? v.scalarOf(value) : v.vectorOf(value), v.tails[from]);
      }
    }
}

static Function *run(VectorBuilder &v) {
  for (BasicBlock &block : v.thread)
    if (v.shapes.divergesAt(&block))
      throw InternalError("a branch is still divergent");
  startFunction(v);
  const ReversePostOrderTraversal<Function *> order(&v.thread);
  for (BasicBlock *block : order)
    v.heads[block] = BasicBlock::Create(v.function->getContext(), block->getName(), v.function);
  BranchInst::Create(v.heads[&v.thread.getEntryBlock()], v.sweep.first_block);
  for (BasicBlock *block : order)
    widenBlock(v, *block);
  completePhis(v);
  if (v.options.sweeps)
    splitByState(v);
  v.thread.eraseFromParent();
  return v.function;
}

static void abandon(VectorBuilder &v) {
  if (!v.function)
    return;
  v.function->deleteBody();
  v.function->eraseFromParent();
}

Function *widen(Function &thread, const WidenOptions &options, std::vector<Remark> *remarks) {
  VectorBuilder v(thread, options, remarks);
  try {
    return run(v);
  } catch (const std::runtime_error &) {
    abandon(v);
    throw;
  }
}

} // namespace heddle::engine::simd
