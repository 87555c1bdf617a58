// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/canonicalize.h"

#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/legalize_integers.h"
#include "engine/compiler/simd/normalize/split_structures.h"
#include "engine/compiler/simd/normalize/unsink_loads.h"
#include "module/pass_analyses.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

template <typename... Passes> void runPasses(Function &function, Passes &&...passes) {
  PassAnalyses analyses;
  FunctionPassManager manager;
  (manager.addPass(std::forward<Passes>(passes)), ...);
  manager.run(function, analyses.functions);
}

// ---- Ends ----

// PTX `exit` ends the thread anywhere.
void replaceExits(Function &function) {
  SmallVector<CallBase *> exits;
  for (Instruction &instruction : instructions(function))
    if (calledName(instruction) == "llvm.nvvm.exit")
      exits.push_back(cast<CallBase>(&instruction));
  for (CallBase *call : exits) {
    BasicBlock *block = call->getParent();
    // The code after it is unreachable; another exit may already have removed it.
    SplitBlock(block, call);
    block->getTerminator()->eraseFromParent();
    ReturnInst::Create(function.getContext(), block);
  }
  if (!exits.empty())
    removeUnreachableBlocks(function);
}

// The nearest conditional branch above `block`, if all blocks between have one predecessor.
BranchInst *branchAbove(BasicBlock *block, BasicBlock *&way) {
  for (way = block; BasicBlock *above = way->getSinglePredecessor(); way = above) {
    auto *branch = dyn_cast<BranchInst>(above->getTerminator());
    if (branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1))
      return branch;
  }
  return nullptr;
}

// Gives each path to a noreturn block its own copy of it.
void separateDeadEnds(Function &function) {
  SmallVector<BasicBlock *> ends;
  for (BasicBlock &block : function)
    if (isa<UnreachableInst>(block.getTerminator()))
      ends.push_back(&block);
  for (BasicBlock *end : ends) {
    SmallVector<BasicBlock *> from(predecessors(end));
    for (unsigned i = 1; i < from.size() && end->size() < 40; ++i) {
      ValueToValueMapTy map;
      BasicBlock *copy = CloneBasicBlock(end, map, ".again", &function);
      for (Instruction &instruction : *copy)
        RemapInstruction(&instruction, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      for (PHINode &phi : make_early_inc_range(copy->phis())) {
        phi.replaceAllUsesWith(phi.getIncomingValueForBlock(from[i]));
        phi.eraseFromParent();
      }
      from[i]->getTerminator()->replaceSuccessorWith(end, copy);
      end->removePredecessor(from[i]);
    }
  }
}

void continueAfterDeadEnds(Function &function) {
  separateDeadEnds(function);
  SmallVector<BasicBlock *> ends;
  for (BasicBlock &block : function)
    if (isa<UnreachableInst>(block.getTerminator()))
      ends.push_back(&block);
  for (BasicBlock *end : ends) {
    BasicBlock *way = nullptr;
    BranchInst *choice = branchAbove(end, way);
    end->getTerminator()->eraseFromParent();
    if (!choice) {
      ReturnInst::Create(function.getContext(), end);
      continue;
    }
    BasicBlock *other = choice->getSuccessor(choice->getSuccessor(0) == way);
    for (PHINode &phi : other->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(choice->getParent()), end);
    BranchInst::Create(other, end);
  }
}

// ---- Special registers ----

void computeRegisters(Function &function) {
  constexpr StringLiteral prefix = "llvm.nvvm.read.ptx.sreg.lanemask.";
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    StringRef name = calledName(instruction);
    if (name == "llvm.nvvm.read.ptx.sreg.warpsize")
      instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), 32));
    if (!name.consume_front(prefix))
      continue;
    IRBuilder<> b(&instruction);
    Function *lane_id =
        Intrinsic::getDeclaration(function.getParent(), Intrinsic::nvvm_read_ptx_sreg_laneid);
    Value *own = b.CreateShl(b.getInt32(1), b.CreateCall(lane_id));
    Value *below = b.CreateSub(own, b.getInt32(1));
    Value *result = own;
    if (name == "lt")
      result = below;
    else if (name == "le")
      result = b.CreateOr(own, below);
    else if (name == "gt")
      result = b.CreateNot(b.CreateOr(own, below));
    else if (name == "ge")
      result = b.CreateNot(below);
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
  }
}

// A grid has fewer than 2^31 threads in each dimension (engine/code/program.cpp checks).
void useLaunchFacts(Function &function) {
  const auto axis = [](Value *value, StringRef base) -> char {
    StringRef name = calledName(*value);
    return name.consume_front("llvm.nvvm.read.ptx.sreg.") && name.consume_front(base) ? name.back()
                                                                                      : '\0';
  };
  for (Instruction &instruction : instructions(function)) {
    Value *block = nullptr, *size = nullptr, *thread = nullptr;
    if (!match(&instruction, m_c_Add(m_c_Mul(m_Value(block), m_Value(size)), m_Value(thread))))
      continue;
    if (axis(block, "ctaid.") == '\0')
      std::swap(block, size);
    const char direction = axis(thread, "tid.");
    if (!direction || axis(block, "ctaid.") != direction || axis(size, "ntid.") != direction)
      continue;
    for (Value *value :
         {static_cast<Value *>(&instruction), instruction.getOperand(0), instruction.getOperand(1)})
      if (auto *operation = dyn_cast<OverflowingBinaryOperator>(value)) {
        cast<Instruction>(operation)->setHasNoSignedWrap();
        cast<Instruction>(operation)->setHasNoUnsignedWrap();
      }
  }
}

// Thread numbers are not negative, which LLVM did not know: `i / 32` becomes a shift, which is
// uniform in a warp.
void divideUnsigned(Function &function) {
  const SimplifyQuery query(function.getParent()->getDataLayout());
  const auto known = [&](const Value *value) { return isKnownNonNegative(value, query); };
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    const bool division = instruction.getOpcode() == Instruction::SDiv;
    if ((!division && instruction.getOpcode() != Instruction::SRem) ||
        !known(instruction.getOperand(0)) || !known(instruction.getOperand(1)))
      continue;
    IRBuilder<> b(&instruction);
    Value *left = instruction.getOperand(0), *right = instruction.getOperand(1);
    Value *result = nullptr;
    const auto *number = dyn_cast<ConstantInt>(right);
    if (number && number->getValue().isPowerOf2())
      result = division ? b.CreateLShr(left, number->getValue().logBase2())
                        : b.CreateAnd(left, number->getValue() - 1);
    else
      result = division ? b.CreateUDiv(left, right) : b.CreateURem(left, right);
    result->takeName(&instruction);
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
  }
}

// LLVM turns `thread / 16 * 4` into `(thread >> 2) & ~3`, and `thread % 16 * 4` into bits of
// `thread << 2`. In this form no analysis recognises that the first is uniform in 16 threads and
// the second affine.
void separateThreadNumbers(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    Value *thread = nullptr;
    const APInt *bits = nullptr, *distance = nullptr;
    const auto left = m_Shl(m_Value(thread), m_APInt(distance));
    const auto right = m_LShr(m_Value(thread), m_APInt(distance));
    IRBuilder<> b(&instruction);
    Value *result = nullptr;
    const auto is_thread = [&] { return calledName(*thread).contains(".sreg.tid."); };
    const auto groups = [&](unsigned low) { // of threads with equal bits above the low ones
      return b.CreateLShr(thread, *distance + low);
    };
    if (match(&instruction, m_And(left, m_APInt(bits))) && is_thread()) {
      result = b.CreateShl(b.CreateAnd(thread, bits->lshr(*distance)), *distance);
    } else if (match(&instruction, m_And(right, m_APInt(bits))) && is_thread()) {
      const unsigned low = bits->countr_zero();
      if (low != 0 && (*distance + low).ult(bits->getBitWidth()))
        result = b.CreateShl(b.CreateAnd(groups(low), bits->lshr(low)), low);
    } else if (match(&instruction, m_Or(right, m_APInt(bits))) && is_thread()) {
      const unsigned low = bits->countr_one();
      if (low != 0 && (*distance + low).ult(bits->getBitWidth()))
        result = b.CreateOr(b.CreateShl(groups(low), low), *bits);
    }
    if (!result)
      continue;
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
  }
}

// LLVM turns `255 - i` into `i ^ 255`, and `n - 1 - i` into `n + (i ^ -1)`, which no analysis
// recognises as decreasing in i. (Other bit operations stay.)
void subtractIndices(Function &function) {
  const SimplifyQuery query(function.getParent()->getDataLayout());
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    Value *index = nullptr;
    const APInt *bits = nullptr;
    if (!match(&instruction, m_Xor(m_Value(index), m_APInt(bits))) ||
        !instruction.getType()->isIntegerTy())
      continue;
    const bool is_index = any_of(instruction.users(), [](const User *user) {
      return isa<SExtInst, ZExtInst, GetElementPtrInst, OverflowingBinaryOperator>(user);
    });
    if (!is_index ||
        !(bits->isAllOnes() ||
          (bits->isMask() && computeKnownBits(index, 0, query).getMaxValue().ule(*bits))))
      continue;
    IRBuilder<> b(&instruction);
    Value *result = b.CreateSub(instruction.getOperand(1), index, "", true, true);
    result->takeName(&instruction);
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
  }
}

} // namespace

void canonicalize(Function &function) {
  ScalarizerPassOptions scalars;
  scalars.ScalarizeLoadStore = true;
  scalars.ScalarizeVariableInsertExtract = true;
  replaceExits(function);
  runPasses(function, SROAPass(SROAOptions::PreserveCFG), EarlyCSEPass(), InstCombinePass(),
            ScalarizerPass(scalars), EarlyCSEPass(), LowerSwitchPass());
  removeUnreachableBlocks(function);
  continueAfterDeadEnds(function);
  uniteReturns(function);
  computeRegisters(function);
  useLaunchFacts(function);
  splitStructures(function);
  runPasses(function, InstSimplifyPass()); // no thread number is INT_MIN, whose division differs
  divideUnsigned(function);
  separateThreadNumbers(function);
  subtractIndices(function);
  unsinkLoads(function);
  legalizeIntegers(function);
  canonicalizeLoops(function);
}

} // namespace heddle::engine::simd
