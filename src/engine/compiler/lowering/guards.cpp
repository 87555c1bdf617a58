// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/lowering/guards.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace heddle::engine {
namespace {

constexpr const char *recursive_attribute = "heddle.recursive";

// The passes of the SIMD engine have already inserted these checks in a gang's function.
bool isGang(const Function &function) { return function.hasFnAttribute(gang_attribute); }

// Inserts before `before` a block that runs if `condition` holds; the branch is marked unlikely.
Instruction *unlikelyBranch(Value *condition, Instruction *before, bool returns) {
  MDNode *weights = MDBuilder(before->getContext()).createUnlikelyBranchWeights();
  return SplitBlockAndInsertIfThen(condition, before->getIterator(), !returns, weights);
}

// ---- Alignment ----

struct Access {
  Instruction *instruction;
  Value *pointer;
  Align align;
};

std::optional<Access> accessOf(Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return Access{load, load->getPointerOperand(), load->getAlign()};
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return Access{store, store->getPointerOperand(), store->getAlign()};
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return Access{atomic, atomic->getPointerOperand(), atomic->getAlign()};
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return Access{exchange, exchange->getPointerOperand(), exchange->getAlign()};
  return std::nullopt;
}

// The context itself, and what is known to be aligned, needs no check.
bool isKnownAligned(const Access &access, const DataLayout &data) {
  if (access.align.value() == 1 || access.instruction->hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  return getKnownAlignment(access.pointer, data, access.instruction) >= access.align;
}

// ---- Yielding ----

bool observesOthers(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isVolatile() || load->isAtomic();
  if (isa<AtomicRMWInst, AtomicCmpXchgInst, FenceInst>(instruction))
    return true;
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && !isa<IntrinsicInst>(call); // the callee may; a check is cheap beside a call
}

} // namespace

bool mayRecurse(const Function &function) { return function.hasFnAttribute(recursive_attribute); }

void guardStack(Module &module) {
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    for (CallGraphNode *node : *component)
      if (Function *function = node->getFunction(); function && !function->isDeclaration())
        if (component.hasCycle() || function->hasAddressTaken())
          function->addFnAttr(recursive_attribute);
  for (Function &function : module) {
    if (!mayRecurse(function) || !takesContext(function))
      continue;
    // The address of a local variable approximates the stack pointer.
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    Value *here = builder.CreateAlloca(builder.getInt8Ty(), nullptr, "stack.position");
    Instruction *first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    builder.SetInsertPoint(first);
    if (DISubprogram *scope = function.getSubprogram())
      builder.SetCurrentDebugLocation(
          DILocation::get(module.getContext(), scope->getLine(), 0, scope));
    Value *limit = loadThreadField(builder, contextOf(function), builder.getInt64Ty(),
                                   offsetof(ThreadContext, stack_limit));
    Value *full = builder.CreateICmpULT(builder.CreatePtrToInt(here, builder.getInt64Ty()), limit);
    DebugLoc where = builder.getCurrentDebugLocation();
    builder.SetInsertPoint(unlikelyBranch(full, first, false));
    builder.SetCurrentDebugLocation(where);
    callRuntime(builder, contextOf(function), offsetof(RuntimeTable, stack_overflow),
                builder.getVoidTy(), {});
  }
}

void guardAlignment(Module &module) {
  const DataLayout &data = module.getDataLayout();
  for (Function &function : module) {
    if (!takesContext(function) || isGang(function))
      continue;
    SmallVector<Access> accesses;
    for (Instruction &instruction : instructions(function))
      if (auto access = accessOf(instruction); access && !isKnownAligned(*access, data))
        accesses.push_back(*access);
    for (const Access &access : accesses) {
      IRBuilder<> builder(access.instruction);
      Value *address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
      Value *low = builder.CreateAnd(address, access.align.value() - 1);
      Value *misaligned = builder.CreateICmpNE(low, builder.getInt64(0));
      builder.SetInsertPoint(unlikelyBranch(misaligned, access.instruction, false));
      builder.SetCurrentDebugLocation(access.instruction->getDebugLoc());
      callRuntime(builder, contextOf(function), offsetof(RuntimeTable, misaligned),
                  builder.getVoidTy(),
                  {builder.CreateAddrSpaceCast(access.pointer, builder.getPtrTy())});
    }
  }
}

void giveTurns(Module &module) {
  for (Function &function : module) {
    if (!takesContext(function) || isGang(function))
      continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    SmallSetVector<BasicBlock *, 8> headers;
    for (Instruction &instruction : instructions(function))
      if (Loop *loop =
              observesOthers(instruction) ? loops.getLoopFor(instruction.getParent()) : nullptr)
        headers.insert(loop->getHeader());
    for (BasicBlock *header : headers) {
      IRBuilder<> builder(&*header->getFirstInsertionPt());
      Value *context = contextOf(function);
      Value *budget_address = builder.CreateConstInBoundsGEP1_64(
          builder.getInt8Ty(), context, offsetof(ThreadContext, spin_budget));
      Value *budget = builder.CreateLoad(builder.getInt64Ty(), budget_address);
      Value *rest = builder.CreateSub(budget, builder.getInt64(1));
      builder.CreateStore(rest, budget_address);
      Value *used_up = builder.CreateICmpSLT(rest, builder.getInt64(0));
      Instruction *next = &*builder.GetInsertPoint();
      builder.SetInsertPoint(unlikelyBranch(used_up, next, true));
      callRuntime(builder, context, offsetof(RuntimeTable, yield), builder.getVoidTy(), {});
    }
  }
}

} // namespace heddle::engine
