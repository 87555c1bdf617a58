// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/unsink_loads.h"

#include "engine/compiler/simd/analysis/access/interleaved_groups.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

// ---- Computations on all paths ----

// For a non-negative number, which LLVM marks, sign and zero extension are the same.
bool extendsSigned(const Instruction &instruction) {
  return isa<SExtInst>(instruction) ||
         (isa<ZExtInst>(instruction) && cast<PossiblyNonNegInst>(instruction).hasNonNeg());
}

bool computesTheSame(const Instruction &a, const Instruction &b) {
  return equal(a.operands(), b.operands()) &&
         (a.isSameOperationAs(&b) ||
          (a.getType() == b.getType() && extendsSigned(a) && extendsSigned(b)));
}

// Whether `number` equals the constant on the path from there, because a branch has compared them.
bool equalsOnPath(const Value &number, const APInt &constant, const BasicBlock &from,
                  const BasicBlock &to) {
  const auto *branch = dyn_cast<BranchInst>(from.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return false;
  const auto equals =
      branch->getSuccessor(0) == &to ? CmpInst::Predicate::ICMP_EQ : CmpInst::Predicate::ICMP_NE;
  CmpInst::Predicate predicate = CmpInst::Predicate::BAD_ICMP_PREDICATE;
  return match(branch->getCondition(),
               m_ICmp(predicate, m_Specific(&number), m_SpecificInt(constant))) &&
         predicate == equals;
}

// `if (i == 0) … 0` contributes i as well, extended as on the other paths.
bool bringsAsConstant(const PHINode &phi, unsigned way, const Instruction &extension) {
  const auto *constant = dyn_cast<ConstantInt>(phi.getIncomingValue(way));
  if (!constant || !isa<SExtInst, ZExtInst>(extension))
    return false;
  const Value &number = *extension.getOperand(0);
  const unsigned bits = number.getType()->getScalarSizeInBits();
  const APInt narrow = constant->getValue().trunc(bits);
  const APInt again = isa<SExtInst>(extension) ? narrow.sext(constant->getBitWidth())
                                               : narrow.zext(constant->getBitWidth());
  return again == constant->getValue() &&
         equalsOnPath(number, narrow, *phi.getIncomingBlock(way), *phi.getParent());
}

// The instruction of which each path contributes a copy; null if there is none.
Instruction *broughtByAll(const PHINode &phi) {
  Instruction *result = nullptr;
  for (Value *value : phi.incoming_values())
    if (auto *found = dyn_cast<Instruction>(value); found && (!result || isa<SExtInst>(found)))
      result = found; // signed, which is right on all paths
  if (!result || isa<PHINode, AllocaInst, CallBase>(result) || result->mayReadOrWriteMemory() ||
      is_contained(result->operands(), &phi))
    return nullptr;
  for (unsigned way = 0; way < phi.getNumIncomingValues(); ++way) {
    const auto *other = dyn_cast<Instruction>(phi.getIncomingValue(way));
    if (other ? !computesTheSame(*other, *result) : !bringsAsConstant(phi, way, *result))
      return nullptr;
  }
  return result;
}

// Computes it at the merge; its operands are available before the branch.
bool computeBehind(BasicBlock &block) {
  bool changed = false;
  for (PHINode &phi : make_early_inc_range(block.phis())) {
    Instruction *brought = broughtByAll(phi);
    if (!brought)
      continue;
    Instruction *copy = brought->clone();
    for (Value *other : phi.incoming_values())
      copy->andIRFlags(other);
    copy->insertBefore(block, block.getFirstInsertionPt());
    copy->takeName(&phi);
    phi.replaceAllUsesWith(copy);
    phi.eraseFromParent();
    changed = true;
  }
  return changed;
}

// ---- Accesses on all paths ----

// A load or store at the start of its block whose address is a phi of the paths.
Instruction *accessOfChosen(BasicBlock &block) {
  for (Instruction &instruction : block) {
    if (!instruction.mayReadOrWriteMemory())
      continue;
    if (!isSimpleAccess(instruction))
      return nullptr;
    const auto *pointer = dyn_cast<PHINode>(getLoadStorePointerOperand(&instruction));
    if (!pointer || pointer->getParent() != &block)
      return nullptr;
    // The stored value must be available on all paths, too.
    const bool known = all_of(instruction.operands(), [&](const Value *operand) {
      const auto *computed = dyn_cast<Instruction>(operand);
      return !computed || computed->getParent() != &block || isa<PHINode>(computed);
    });
    return known ? &instruction : nullptr;
  }
  return nullptr;
}

// The equivalent access on the edge from `from` to `block`.
Instruction *accessIn(BasicBlock &from, Instruction &access, BasicBlock &block) {
  Instruction *copy = access.clone();
  for (Use &operand : copy->operands()) {
    Value *there = operand->DoPHITranslation(&block, &from);
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(there)) // its memory is known to be shared
      there = cast->getPointerOperand();
    operand.set(there);
  }
  copy->insertBefore(from.getTerminator());
  return copy;
}

// Not at a loop header: the next iteration may load what this one stores. Nor where a path has no
// block of its own.
bool isJoin(BasicBlock &block, const DominatorTree &dominators) {
  return all_of(predecessors(&block), [&](BasicBlock *from) {
    return isa<BranchInst>(from->getTerminator()) && !dominators.dominates(&block, from) &&
           count(successors(from), &block) == 1;
  });
}

bool accessBefore(BasicBlock &block, const DominatorTree &dominators) {
  Instruction *access = accessOfChosen(block);
  if (!access || !isJoin(block, dominators))
    return false;
  SmallVector<BasicBlock *> ways(predecessors(&block));
  for (BasicBlock *&from : ways)
    if (!from->getSingleSuccessor())
      from = SplitEdge(from, &block);
  SmallVector<Instruction *> copies;
  for (BasicBlock *from : ways)
    copies.push_back(accessIn(*from, *access, block));
  if (!access->getType()->isVoidTy()) {
    PHINode *loaded = PHINode::Create(access->getType(), ways.size(), "", block.begin());
    for (unsigned i = 0; i < ways.size(); ++i)
      loaded->addIncoming(copies[i], ways[i]);
    loaded->takeName(access);
    access->replaceAllUsesWith(loaded);
  }
  access->eraseFromParent();
  return true;
}

} // namespace

void unsinkLoads(Function &function) {
  constexpr unsigned most_accesses = 100;
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock &block : function)
      changed |= computeBehind(block);
  }
  for (unsigned done = 0; done < most_accesses; ++done) {
    const DominatorTree dominators(function);
    if (none_of(function, [&](BasicBlock &block) { return accessBefore(block, dominators); }))
      return;
  }
}

} // namespace heddle::engine::simd
