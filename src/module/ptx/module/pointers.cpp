// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/module/pointers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace heddle {
namespace {

// How likely an integer is an address.
enum Likelihood : unsigned { Offset, Loaded, Passed, PassedAndUsed, Certain };

// The pointer whose address a constant is.
Constant *pointerOf(Constant *constant) {
  auto *expression = dyn_cast<ConstantExpr>(constant);
  if (!expression)
    return nullptr;
  if (expression->getOpcode() == Instruction::PtrToInt)
    return expression->getOperand(0);
  return expression->getOpcode() == Instruction::Trunc ? pointerOf(expression->getOperand(0))
                                                       : nullptr;
}

class Recovery {
public:
  explicit Recovery(Function &function)
      : function_(function), data_(function.getParent()->getDataLayout()) {}

  void run() {
    SmallVector<IntToPtrInst *> accesses;
    for (Instruction &instruction : instructions(function_))
      if (auto *access = dyn_cast<IntToPtrInst>(&instruction);
          access && access->getType()->getPointerAddressSpace() == 0)
        accesses.push_back(access);
    if (accesses.empty())
      return;
    for (IntToPtrInst *access : accesses)
      if (isa<Argument>(access->getOperand(0)))
        likelihood_[access->getOperand(0)] = PassedAndUsed;
    rate();
    for (IntToPtrInst *access : accesses) {
      if (Value *pointer = follow(access->getOperand(0)); pointer && pointer != access) {
        replacements_.emplace_back(access, pointer);
        replaced_[access] = pointer;
      }
    }
    for (auto [access, pointer] : replacements_) {
      // The replacement may itself have been replaced.
      while (replaced_.contains(pointer))
        pointer = replaced_[pointer];
      access->replaceAllUsesWith(pointer);
    }
    for (auto [access, pointer] : replacements_)
      if (access->use_empty())
        access->eraseFromParent();
    replaceLoads();
  }

  /// The parameters that are pointers, with the pointers that replace them.
  const MapVector<Argument *, Instruction *> &pointerParameters() const { return parameters_; }

private:
  static bool isAddressWide(Value *value) { return value->getType()->isIntegerTy(64); }

  Likelihood likelihoodOf(Value *value) const {
    if (auto *constant = dyn_cast<Constant>(value))
      return pointerOf(constant) ? Certain : Offset;
    if (auto found = likelihood_.find(value); found != likelihood_.end())
      return found->second;
    return isa<Argument>(value) && isAddressWide(value) ? Passed : Offset;
  }

  Likelihood rated(Instruction &instruction) const {
    const auto of = [&](unsigned i) { return likelihoodOf(instruction.getOperand(i)); };
    switch (instruction.getOpcode()) {
    case Instruction::PtrToInt:
      return Certain;
    case Instruction::Load:
    case Instruction::Call:
      return isAddressWide(&instruction) ? Loaded : Offset;
    case Instruction::Add:
    case Instruction::Or:
      return std::max(of(0), of(1));
    case Instruction::Sub:
    case Instruction::Freeze:
      return of(0);
    case Instruction::Trunc: // a shared address
      return instruction.getType()->isIntegerTy(32) ? of(0) : Offset;
    case Instruction::ZExt:
      return instruction.getOperand(0)->getType()->isIntegerTy(32) ? of(0) : Offset;
    case Instruction::Select:
      return std::max(of(1), of(2));
    case Instruction::PHI: {
      Likelihood best = Offset;
      for (Value *incoming : cast<PHINode>(instruction).incoming_values())
        best = std::max(best, likelihoodOf(incoming));
      return best;
    }
    default:
      return Offset;
    }
  }

  // Twice, since loop-carried values are rated after their initial values.
  void rate() {
    ReversePostOrderTraversal<Function *> blocks(&function_);
    for (unsigned i = 0; i < 2; ++i)
      for (BasicBlock *block : blocks)
        for (Instruction &instruction : *block)
          if (instruction.getType()->isIntegerTy(64) || instruction.getType()->isIntegerTy(32))
            if (const Likelihood found = rated(instruction))
              likelihood_[&instruction] = found;
  }

  // The pointer with the address `value`, which is 64 bits wide, or 32 in shared memory; null if
  // only inttoptr is possible.
  Value *follow(Value *value) {
    if (auto *constant = dyn_cast<Constant>(value))
      return pointerOf(constant);
    if (auto found = pointers_.find(value); found != pointers_.end())
      return found->second;
    if (likelihoodOf(value) == Offset || depth_ > 500)
      return nullptr;
    if (auto *phi = dyn_cast<PHINode>(value))
      return followPhi(*phi);
    ++depth_;
    Value *pointer = isa<Argument>(value) ? followArgument(cast<Argument>(*value))
                                          : followInstruction(cast<Instruction>(*value));
    --depth_;
    return pointers_[value] = pointer;
  }

  Value *followArgument(Argument &argument) {
    if (!isAddressWide(&argument))
      return nullptr;
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    auto *pointer = cast<Instruction>(
        builder.Insert(CastInst::Create(Instruction::IntToPtr, &argument, builder.getPtrTy()),
                       argument.getName()));
    parameters_[&argument] = pointer;
    return pointer;
  }

  Value *followInstruction(Instruction &instruction) {
    switch (instruction.getOpcode()) {
    case Instruction::PtrToInt: {
      Value *pointer = instruction.getOperand(0);
      return pointer->getType()->getPointerAddressSpace() == 0 ? pointer : nullptr;
    }
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::Freeze:
      return follow(instruction.getOperand(0));
    case Instruction::Add:
    case Instruction::Or:
      return followSum(cast<BinaryOperator>(instruction));
    case Instruction::Sub:
      return followDifference(instruction);
    case Instruction::Select:
      return followSelect(cast<SelectInst>(instruction));
    case Instruction::Load:
      return followLoad(cast<LoadInst>(instruction));
    default:
      return nullptr;
    }
  }

  // The sum of a variable's address and of how far x is from it, in 32 bits: x (emitter.cpp,
  // wholeLocalAddress). Null if this is none, or x cannot be followed.
  Value *followDistance(BinaryOperator &sum) {
    using namespace PatternMatch;
    Value *variable = nullptr, *again = nullptr, *x = nullptr;
    if (!match(&sum, m_Add(m_PtrToInt(m_Value(variable)),
                           m_SExt(m_Sub(m_Value(x), m_Trunc(m_PtrToInt(m_Value(again))))))) ||
        variable != again || !isa<AllocaInst>(variable))
      return nullptr;
    return follow(x);
  }

  Value *followSum(BinaryOperator &sum) {
    if (Value *pointer = followDistance(sum))
      return pointer;
    Value *base = sum.getOperand(0), *offset = sum.getOperand(1);
    if (likelihoodOf(offset) > likelihoodOf(base))
      std::swap(base, offset);
    if (sum.getOpcode() == Instruction::Or &&
        !haveNoCommonBitsSet(base, offset, SimplifyQuery(data_, &sum)))
      return nullptr;
    Value *pointer = follow(base);
    if (!pointer)
      return nullptr;
    IRBuilder<> builder(&sum);
    return advance(builder, pointer, builder.CreateSExt(offset, builder.getInt64Ty()));
  }

  Value *followDifference(Instruction &difference) {
    Value *pointer = follow(difference.getOperand(0));
    if (!pointer)
      return nullptr;
    IRBuilder<> builder(&difference);
    Value *offset = builder.CreateSExt(difference.getOperand(1), builder.getInt64Ty());
    return advance(builder, pointer, builder.CreateNeg(offset));
  }

  // Uses an offset in elements if it is a multiple of their size.
  static Value *advance(IRBuilder<> &builder, Value *pointer, Value *offset) {
    Value *index = nullptr;
    ConstantInt *factor = nullptr;
    unsigned bytes = 1;
    if (auto *scaled = dyn_cast<BinaryOperator>(offset);
        scaled && (factor = dyn_cast<ConstantInt>(scaled->getOperand(1))) &&
        factor->getValue().ult(32)) {
      index = scaled->getOperand(0);
      if (scaled->getOpcode() == Instruction::Shl && factor->getValue().ult(5))
        bytes = 1u << factor->getZExtValue();
      else if (scaled->getOpcode() == Instruction::Mul && factor->getValue().isPowerOf2())
        bytes = unsigned(factor->getZExtValue());
    }
    if (bytes == 1 || bytes > 16)
      return builder.CreatePtrAdd(pointer, offset);
    return builder.CreateGEP(builder.getIntNTy(8 * bytes), pointer, index);
  }

  // The pointer for a value, at the end of a block or before an instruction.
  Value *pointerAt(Value *value, Instruction *where) {
    if (Value *pointer = follow(value))
      return pointer;
    IRBuilder<> builder(where);
    return builder.CreateIntToPtr(builder.CreateZExt(value, builder.getInt64Ty()),
                                  builder.getPtrTy());
  }

  Value *followSelect(SelectInst &select) {
    IRBuilder<> builder(&select);
    Value *yes = pointerAt(select.getTrueValue(), &select);
    Value *no = pointerAt(select.getFalseValue(), &select);
    return builder.CreateSelect(select.getCondition(), yes, no);
  }

  Value *followPhi(PHINode &phi) {
    PHINode *pointer =
        PHINode::Create(PointerType::get(phi.getContext(), 0), phi.getNumIncomingValues(),
                        phi.getName(), phi.getIterator());
    pointers_[&phi] = pointer;
    ++depth_;
    // A predecessor may appear several times, with the same value.
    SmallDenseMap<BasicBlock *, Value *> known;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      BasicBlock *from = phi.getIncomingBlock(i);
      Value *&incoming = known[from];
      if (!incoming)
        incoming = pointerAt(phi.getIncomingValue(i), from->getTerminator());
      pointer->addIncoming(incoming, from);
    }
    --depth_;
    return pointer;
  }

  Value *followLoad(LoadInst &load) {
    if (!isAddressWide(&load))
      return nullptr;
    IRBuilder<> builder(&load);
    LoadInst *pointer = builder.CreateAlignedLoad(builder.getPtrTy(), load.getPointerOperand(),
                                                  load.getAlign(), load.isVolatile());
    pointer->setAtomic(load.getOrdering(), load.getSyncScopeID());
    loads_.emplace_back(&load, pointer);
    return pointer;
  }

  void replaceLoads() {
    for (auto [load, pointer] : loads_) {
      IRBuilder<> builder(load);
      load->replaceAllUsesWith(builder.CreatePtrToInt(pointer, load->getType()));
      load->eraseFromParent();
    }
  }

  Function &function_;
  const DataLayout &data_;
  DenseMap<Value *, Likelihood> likelihood_;
  DenseMap<Value *, Value *> pointers_;
  MapVector<Argument *, Instruction *> parameters_;
  std::vector<std::pair<IntToPtrInst *, Value *>> replacements_;
  DenseMap<Value *, Value *> replaced_;
  std::vector<std::pair<LoadInst *, LoadInst *>> loads_;
  unsigned depth_ = 0;
};

// Recreates the function with pointers for some of its parameters.
void retype(Function &function, const MapVector<Argument *, Instruction *> &pointers) {
  SmallVector<Type *> types;
  for (Argument &argument : function.args())
    types.push_back(pointers.contains(&argument) ? PointerType::get(function.getContext(), 0)
                                                 : argument.getType());
  auto *type = FunctionType::get(function.getReturnType(), types, false);
  Function *typed = Function::Create(type, function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(), typed);
  typed->copyAttributesFrom(&function);
  typed->setSubprogram(function.getSubprogram());
  typed->takeName(&function);
  typed->splice(typed->begin(), &function);
  for (auto [before, after] : zip(function.args(), typed->args())) {
    after.takeName(&before);
    if (auto found = pointers.find(&before); found != pointers.end()) {
      found->second->replaceAllUsesWith(&after);
      found->second->eraseFromParent();
      IRBuilder<> builder(&*typed->getEntryBlock().getFirstInsertionPt());
      if (!before.use_empty())
        before.replaceAllUsesWith(builder.CreatePtrToInt(&after, before.getType()));
    } else {
      before.replaceAllUsesWith(&after);
    }
  }
  function.replaceAllUsesWith(typed);
  function.eraseFromParent();
}

bool isOnlyCalled(const Function &function) {
  return all_of(function.uses(), [](const Use &use) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    return call && call->isCallee(&use);
  });
}

bool isAnnotatedKernel(const Function &function) {
  const NamedMDNode *all = function.getParent()->getNamedMetadata("nvvm.annotations");
  return all && any_of(all->operands(), [&](const MDNode *node) {
           auto *name = dyn_cast<MDString>(node->getOperand(1));
           auto *of = dyn_cast_or_null<ValueAsMetadata>(node->getOperand(0));
           return of && of->getValue() == &function && name && name->getString() == "kernel";
         });
}

} // namespace

void recoverPointers(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (function.isDeclaration())
      continue;
    Recovery recovery(function);
    recovery.run();
    if (!recovery.pointerParameters().empty() &&
        (isOnlyCalled(function) || isAnnotatedKernel(function)))
      retype(function, recovery.pointerParameters());
  }
}

} // namespace heddle
