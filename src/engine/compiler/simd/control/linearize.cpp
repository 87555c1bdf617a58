// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/control/linearize.h"

#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/analysis/predication_safety.h"
#include "engine/compiler/simd/control/variable_promotion.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

#include <algorithm>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// ---- Block order ----

// A topological order of the blocks in `loop` (null: the function), each inner loop contiguous and
// directly after its preheader.
class BlockOrder {
public:
  BlockOrder(Function &function, const LoopInfo &loops) : loops_(loops) {
    place(&function.getEntryBlock(), nullptr);
  }
  std::vector<BasicBlock *> blocks;

private:
  // The loop directly inside `outer` that contains the block, or null if `outer` itself does.
  const Loop *childOf(const Loop *outer, BasicBlock *block) const {
    const Loop *loop = loops_.getLoopFor(block);
    if (loop == outer)
      return nullptr;
    while (loop && loop->getParentLoop() != outer)
      loop = loop->getParentLoop();
    return loop;
  }

  // Reverse post-order of the blocks of `outer`, with inner loops as single nodes.
  void place(BasicBlock *start, const Loop *outer) {
    std::vector<BasicBlock *> finished;
    SmallPtrSet<BasicBlock *, 32> seen;
    walk(start, outer, seen, finished);
    for (BasicBlock *block : reverse(finished)) {
      const Loop *inner = childOf(outer, block);
      if (inner)
        place(inner->getHeader(), inner);
      else
        blocks.push_back(block);
    }
  }

  void walk(BasicBlock *block, const Loop *outer, SmallPtrSetImpl<BasicBlock *> &seen,
            std::vector<BasicBlock *> &finished) {
    if (!seen.insert(block).second)
      return;
    SmallSetVector<BasicBlock *, 4> next;
    if (const Loop *inner = childOf(outer, block)) {
      SmallVector<BasicBlock *> exits;
      inner->getUniqueExitBlocks(exits);
      next.insert(exits.begin(), exits.end());
    } else {
      // The header of an inner loop is visited first and so placed last, next to the preheader.
      for (BasicBlock *successor : successors(block))
        next.insert(successor);
    }
    for (BasicBlock *successor : next)
      if (!outer || (outer->contains(successor) && successor != outer->getHeader()))
        walk(successor, outer, seen, finished);
    finished.push_back(block);
  }

  const LoopInfo &loops_;
};

// ---- Transformation ----

class Linearizer {
public:
  Linearizer(Function &function, const LaneLayout &layout, bool masks_bytes)
      : function_(function), code_(function, layout), shapes_(code_.shapes),
        masks_bytes_(masks_bytes), i1_(Type::getInt1Ty(function.getContext())) {
    nodes_order_ = BlockOrder(function, code_.loops).blocks;
    for (unsigned i = 0; i < nodes_order_.size(); ++i)
      index_[nodes_order_[i]] = i;
  }

  void forEachDivergentBranch(const std::function<void(const Instruction &)> &body) {
    for (BasicBlock *block : nodes_order_)
      if (shapes_.divergesAt(block))
        body(*block->getTerminator());
  }

  void run() {
    if (none_of(nodes_order_, [&](BasicBlock *b) { return shapes_.divergesAt(b); }))
      return;
    findWaiting();
    findMasks();
    makeVariables();
    for (BasicBlock *block : nodes_order_)
      rewriteTop(*block);
    for (BasicBlock *block : nodes_order_)
      rewriteEnd(*block);
    placeGuards();
    repairDominance();
    promoteVariables(function_, variables_);
    simplify();
  }

private:
  struct Node {
    BitVector waiting;              // blocks with pending lanes while this one is executed
    bool deferred = false;          // may have pending lanes while other blocks run
    bool unguarded = false;         // may run without an active lane
    BasicBlock *mask_of = nullptr;  // a block with the same mask as this one
    AllocaInst *arriving = nullptr; // i1: this lane waits for the block, or enters it
    AllocaInst *mask = nullptr;     // i1: this lane executes the block
    BasicBlock *guard = nullptr;
  };

  unsigned indexOf(BasicBlock *block) const { return index_.lookup(block); }
  Node &node(BasicBlock *block) { return nodes_[indexOf(block)]; }
  bool isBackEdge(BasicBlock *from, BasicBlock *to) const { return indexOf(to) <= indexOf(from); }

  // The first block with pending lanes, or -1.
  static int first(const BitVector &waiting) { return waiting.find_first(); }

  // Continues at the first pending block, with the others still pending.
  void arrive(BitVector waiting, bool &changed) {
    const int next = first(waiting);
    if (next < 0)
      return;
    waiting.reset(unsigned(next));
    Node &target = nodes_[unsigned(next)];
    const BitVector before = target.waiting;
    target.waiting |= waiting;
    target.waiting.reset(unsigned(next));
    changed |= target.waiting != before;
  }

  void findWaiting() {
    const unsigned count = unsigned(nodes_order_.size());
    nodes_.resize(count);
    for (Node &node : nodes_)
      node.waiting.resize(count);
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i < count; ++i) {
        BasicBlock *block = nodes_order_[i];
        // A guard with an empty mask continues at the next pending block.
        arrive(nodes_[i].waiting, changed);
        const bool diverges = shapes_.divergesAt(block);
        BitVector together = nodes_[i].waiting;
        for (BasicBlock *successor : successors(block)) {
          if (isBackEdge(block, successor)) {
            Node &header = node(successor);
            const BitVector before = header.waiting;
            header.waiting |= nodes_[i].waiting;
            if (diverges)
              for (BasicBlock *other : successors(block))
                if (other != successor)
                  header.waiting.set(indexOf(other));
            changed |= header.waiting != before;
          } else if (diverges) {
            together.set(indexOf(successor));
          } else {
            BitVector alone = nodes_[i].waiting;
            alone.set(indexOf(successor));
            arrive(alone, changed);
          }
        }
        if (diverges)
          arrive(together, changed);
      }
    }
    for (unsigned i = 0; i < count; ++i) {
      for (const unsigned waiting : nodes_[i].waiting.set_bits())
        nodes_[waiting].deferred = true;
      if (shapes_.divergesAt(nodes_order_[i]))
        for (BasicBlock *successor : successors(nodes_order_[i]))
          if (!isBackEdge(nodes_order_[i], successor))
            node(successor).deferred = true;
    }
  }

  // Whether each execution of `earlier` is followed by one of `later` with the same lanes: `later`
  // is on all paths from it, within the same iteration of their common loop.
  bool sameLanes(BasicBlock *earlier, BasicBlock *later) const {
    const Loop *loop = code_.loops.getLoopFor(later);
    if (code_.loops.getLoopFor(earlier) != loop || !code_.post_dominators.dominates(later, earlier))
      return false;
    SmallPtrSet<BasicBlock *, 16> seen = {later};
    SmallVector<BasicBlock *> work = {earlier};
    while (!work.empty()) {
      for (BasicBlock *next : successors(work.pop_back_val())) {
        if (next == later)
          continue;
        if ((loop && (next == loop->getHeader() || !loop->contains(next))))
          return false;
        if (seen.insert(next).second)
          work.push_back(next);
      }
    }
    return true;
  }

  void findMasks() {
    for (BasicBlock *block : nodes_order_) {
      const DomTreeNode *above = code_.dominators.getNode(block)->getIDom();
      if (!above)
        continue;
      if (sameLanes(above->getBlock(), block))
        node(block).mask_of = above->getBlock();
    }
  }

  AllocaInst *makeVariable(Type *type, const Twine &name, Value *initial) {
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    variables_.push_back({builder.CreateAlloca(type, nullptr, name), initial});
    return variables_.back().variable;
  }

  void makeVariables() {
    for (BasicBlock *block : nodes_order_) {
      Node &here = node(block);
      here.unguarded = isSafeUnderEmptyMask(*block, code_, masks_bytes_);
      here.mask = makeVariable(i1_, block->getName() + ".mask", ConstantInt::getFalse(i1_));
      here.arriving = makeVariable(i1_, block->getName() + ".arriving", ConstantInt::getFalse(i1_));
      for (PHINode &phi : block->phis())
        phi_variables_[&phi] =
            makeVariable(phi.getType(), phi.getName() + ".way", PoisonValue::get(phi.getType()));
    }
  }

  Value *maskAt(IRBuilder<> &builder, BasicBlock *block) {
    return builder.CreateLoad(i1_, node(block).mask, "mask");
  }

  // Reads the block's mask and the values of its phis, and resets them for the next iteration of an
  // enclosing loop.
  void rewriteTop(BasicBlock &block) {
    Node &here = node(&block);
    const bool entry = &block == &function_.getEntryBlock();
    IRBuilder<> builder(&block, block.getFirstNonPHIOrDbgOrAlloca());
    for (PHINode &phi : block.phis()) {
      AllocaInst *variable = phi_variables_[&phi];
      Value *value = builder.CreateLoad(phi.getType(), variable, phi.getName());
      builder.CreateStore(PoisonValue::get(phi.getType()), variable);
      loads_of_phis_[&phi] = value;
    }
    Value *mask = nullptr;
    if (entry)
      mask = ConstantInt::getTrue(i1_);
    else if (here.mask_of)
      mask = maskAt(builder, here.mask_of);
    else
      mask = builder.CreateLoad(i1_, here.arriving, "mask");
    builder.CreateStore(mask, here.mask);
    builder.CreateStore(ConstantInt::getFalse(i1_), here.arriving);
    callMarker(builder, mask_marker, {mask});
  }

  // An edge: the lanes of `mask` become pending at its target, and assign the values of its phis.
  void takeEdge(IRBuilder<> &builder, BasicBlock *from, BasicBlock *to, Value *mask) {
    Node &target = node(to);
    const bool whole = !target.deferred || isBackEdge(from, to);
    Value *arriving = mask;
    if (!whole)
      arriving = builder.CreateOr(builder.CreateLoad(i1_, target.arriving), mask);
    builder.CreateStore(arriving, target.arriving);
    for (PHINode &phi : to->phis()) {
      AllocaInst *variable = phi_variables_[&phi];
      Value *value = phi.getIncomingValueForBlock(from);
      if (auto *other = dyn_cast<PHINode>(value); other && loads_of_phis_.count(other))
        value = loads_of_phis_[other];
      if (!whole && isa<UndefValue>(value))
        continue; // undefined for these lanes: any value will do
      if (!whole && !shapes_.of(&phi).hasRowBases())
        value = builder.CreateSelect(mask, value, builder.CreateLoad(phi.getType(), variable));
      builder.CreateStore(value, variable);
    }
  }

  // The block, or its guard, at which a gang with these pending blocks continues.
  BasicBlock *destination(const BitVector &waiting) {
    const int next = first(waiting);
    assert(next >= 0 && "lanes have nowhere to go");
    BasicBlock *block = nodes_order_[unsigned(next)];
    Node &target = nodes_[unsigned(next)];
    // Without other pending blocks, all lanes are here.
    if (!target.deferred || target.waiting.none() || target.unguarded)
      return block;
    if (!target.guard) {
      target.guard = BasicBlock::Create(function_.getContext(), block->getName() + ".guard",
                                        &function_, block);
      guards_.push_back(unsigned(next));
    }
    return target.guard;
  }

  void placeGuards() {
    for (unsigned i = 0; i < guards_.size(); ++i) { // destination() may add more
      Node &here = nodes_[guards_[i]];
      IRBuilder<> builder(here.guard);
      BasicBlock *otherwise = destination(here.waiting);
      Value *mask = builder.CreateLoad(i1_, here.arriving, "mask");
      Value *any = callMarker(builder, any_marker, {mask});
      builder.CreateCondBr(any, nodes_order_[guards_[i]], otherwise);
    }
  }

  void rewriteEnd(BasicBlock &block) {
    for (PHINode &phi : make_early_inc_range(block.phis()))
      phi.replaceAllUsesWith(loads_of_phis_[&phi]);
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch)
      return; // return, or unreachable
    IRBuilder<> builder(branch);
    Value *mask = maskAt(builder, &block);
    if (shapes_.divergesAt(&block))
      divergeAt(block, *branch, builder, mask);
    else
      goTogether(block, *branch, builder, mask);
  }

  void goTogether(BasicBlock &block, BranchInst &branch, IRBuilder<> &builder, Value *mask) {
    SmallVector<BasicBlock *> targets(successors(&block));
    for (unsigned i = 0; i < targets.size(); ++i) {
      BasicBlock *edge = &block;
      if (targets.size() > 1) {
        edge = BasicBlock::Create(function_.getContext(), block.getName() + ".edge", &function_,
                                  block.getNextNode());
        builder.SetInsertPoint(edge);
      }
      takeEdge(builder, &block, targets[i], mask);
      BasicBlock *next = targets[i];
      if (!isBackEdge(&block, targets[i])) {
        BitVector waiting = node(&block).waiting;
        waiting.set(indexOf(targets[i]));
        next = destination(waiting);
      }
      if (edge == &block) {
        branch.setSuccessor(0, next);
      } else {
        builder.CreateBr(next);
        branch.setSuccessor(i, edge);
      }
    }
  }

  void divergeAt(BasicBlock &block, BranchInst &branch, IRBuilder<> &builder, Value *mask) {
    Value *condition = branch.getCondition(), *never = ConstantInt::getFalse(i1_);
    // Selects, not `and`: the condition may be poison in inactive lanes.
    Value *masks[] = {builder.CreateSelect(mask, condition, never),
                      builder.CreateSelect(condition, never, mask)};
    if (auto *constant = dyn_cast<Constant>(mask); !constant || !constant->isOneValue())
      masks[1] = builder.CreateSelect(mask, builder.CreateNot(condition), never);
    BitVector waiting = node(&block).waiting;
    BasicBlock *back = nullptr;
    Value *going_back = nullptr;
    for (unsigned i = 0; i < 2; ++i) {
      BasicBlock *target = branch.getSuccessor(i);
      takeEdge(builder, &block, target, masks[i]);
      if (isBackEdge(&block, target)) {
        back = target;
        going_back = masks[i];
      } else {
        waiting.set(indexOf(target));
      }
    }
    if (back) {
      Value *again = callMarker(builder, any_marker, {going_back});
      builder.CreateCondBr(again, back, destination(waiting));
    } else {
      builder.CreateBr(destination(waiting));
    }
    branch.eraseFromParent();
  }

  // A definition that dominated its use may now be skipped on some path, by lanes that do not need
  // it.
  void repairDominance() {
    for (BasicBlock *block : nodes_order_)
      for (PHINode &phi : make_early_inc_range(block->phis()))
        phi.eraseFromParent();
    removeUnreachableBlocks(function_);
    DominatorTree dominators(function_);
    SmallVector<Instruction *> broken;
    for (Instruction &instruction : instructions(function_))
      if (any_of(instruction.uses(),
                 [&](const Use &use) { return !dominators.dominates(&instruction, use); }))
        broken.push_back(&instruction);
    for (Instruction *instruction : broken) {
      AllocaInst *variable = makeVariable(instruction->getType(), instruction->getName() + ".kept",
                                          PoisonValue::get(instruction->getType()));
      IRBuilder<> builder(instruction->getNextNode());
      for (Use &use : make_early_inc_range(instruction->uses())) {
        auto *user = cast<Instruction>(use.getUser());
        if (user->getParent() == instruction->getParent())
          continue;
        IRBuilder<> at_use(user);
        use.set(at_use.CreateLoad(instruction->getType(), variable, instruction->getName()));
      }
      builder.CreateStore(instruction, variable);
    }
  }

  void simplify() {
    const SimplifyQuery query(function_.getParent()->getDataLayout());
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock &block : function_)
        for (Instruction &instruction : make_early_inc_range(block)) {
          if (Value *simpler = simplifyInstruction(&instruction, query);
              simpler && simpler != &instruction && !instruction.use_empty()) {
            instruction.replaceAllUsesWith(simpler);
            changed = true;
          }
          if (isInstructionTriviallyDead(&instruction)) {
            instruction.eraseFromParent();
            changed = true;
          }
        }
    }
    foldKnownReductions();
    // A block that all lanes execute needs no marker.
    for (Instruction &instruction : make_early_inc_range(instructions(function_)))
      if (calledName(instruction) == mask_marker)
        if (auto *mask = dyn_cast<Constant>(instruction.getOperand(0)); mask && mask->isOneValue())
          instruction.eraseFromParent();
  }

  // Folds tests for masks known to contain one of the first lanes.
  void foldKnownReductions() {
    for (Instruction &instruction : make_early_inc_range(instructions(function_)))
      if (calledName(instruction) == any_marker &&
          knownLanesOfCondition(*instruction.getOperand(0))) {
        instruction.replaceAllUsesWith(ConstantInt::getTrue(i1_));
        instruction.eraseFromParent();
      }
    for (BasicBlock &block : function_)
      ConstantFoldTerminator(&block);
    removeUnreachableBlocks(function_);
  }

  Function &function_;
  ShapedCode code_;
  const Shapes &shapes_;
  bool masks_bytes_;
  Type *i1_;
  std::vector<BasicBlock *> nodes_order_;
  DenseMap<BasicBlock *, unsigned> index_;
  std::vector<Node> nodes_;
  std::vector<unsigned> guards_;
  std::vector<InitialisedVariable> variables_;
  DenseMap<PHINode *, AllocaInst *> phi_variables_;
  DenseMap<PHINode *, Value *> loads_of_phis_;
};

} // namespace

void linearize(Function &function, const LaneLayout &layout, bool masks_bytes,
               const std::function<void(const Instruction &)> &diverges) {
  Linearizer linearizer(function, layout, masks_bytes);
  if (diverges)
    linearizer.forEachDivergentBranch(diverges);
  linearizer.run();
}

} // namespace heddle::engine::simd
