// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/guarded_access.h"

#include "engine/compiler/instrument/runs.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle::engine {
namespace {

// Where lanes meet, or look at each other, the SIMD engine must see the access itself.
bool mayBeCall(const Instruction &access) {
  const auto isScalar = [](const Type *type) {
    return type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy();
  };
  if (access.isVolatile())
    return false;
  if (const auto *store = dyn_cast<StoreInst>(&access))
    return store->isUnordered() && isScalar(store->getValueOperand()->getType());
  if (const auto *load = dyn_cast<LoadInst>(&access))
    return load->isUnordered() && isScalar(load->getType());
  return isa<AtomicRMWInst>(access) && isScalar(access.getType());
}

unsigned addressOperand(const Instruction &access) {
  return isa<StoreInst>(access) ? StoreInst::getPointerOperandIndex() : 0;
}

// if (allowed) access(…): with the instruction's own operands, but a flat pointer.
Function *functionFor(const Instruction &access) {
  std::string name = "heddle.access.";
  raw_string_ostream text(name);
  SmallVector<Type *> parameters = {Type::getInt1Ty(access.getContext())};
  for (const Value *operand : access.operands())
    parameters.push_back(operand->getType()->isPointerTy() && operand == addressOf(access)
                             ? PointerType::get(access.getContext(), 0)
                             : operand->getType());
  Type *result = access.getType();
  text << access.getOpcodeName() << '.' << *result;
  for (Type *parameter : parameters)
    text << '.' << *parameter;
  if (const auto *atomic = dyn_cast<AtomicRMWInst>(&access))
    text << '.' << AtomicRMWInst::getOperationName(atomic->getOperation()) << '.'
         << unsigned(atomic->getOrdering());
  Module &module = *const_cast<Module *>(access.getModule());
  if (Function *known = module.getFunction(text.str()))
    return known;
  auto *function = Function::Create(FunctionType::get(result, parameters, false),
                                    GlobalValue::InternalLinkage, text.str(), module);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::Cold);
  function->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", function));
  Instruction *copy = access.clone();
  copy->dropUnknownNonDebugMetadata();
  copy->setDebugLoc(DebugLoc());
  for (unsigned i = 0; i < copy->getNumOperands(); ++i)
    copy->setOperand(i, function->getArg(i + 1));
  Instruction *end = result->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(copy);
  copy->insertBefore(end);
  guardByBranch(*copy, function->getArg(0));
  return function;
}

// What an access gives that does not happen. A loop around a compare-and-swap, as CUDA's atomicInc
// and atomicAdd of some types are, is to end.
Value *resultWithout(const Instruction &access, BasicBlock &before) {
  Value *nothing = Constant::getNullValue(access.getType());
  const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access);
  if (!exchange)
    return nothing;
  IRBuilder<> builder(before.getTerminator());
  Value *result = builder.CreateInsertValue(
      nothing, const_cast<AtomicCmpXchgInst *>(exchange)->getCompareOperand(), 0);
  return builder.CreateInsertValue(result, builder.getTrue(), 1);
}

} // namespace

void guardByBranch(Instruction &access, Value *allowed) {
  BasicBlock *before = access.getParent();
  Instruction *end = SplitBlockAndInsertIfThen(allowed, access.getIterator(), false);
  access.moveBefore(end);
  if (access.getType()->isVoidTy() || access.use_empty())
    return;
  BasicBlock *after = end->getSuccessor(0);
  PHINode *result = PHINode::Create(access.getType(), 2, "", after->begin());
  access.replaceAllUsesWith(result);
  result->addIncoming(&access, access.getParent());
  result->addIncoming(resultWithout(access, *before), before);
}

void guardByCall(Instruction &access, Value *allowed, bool own) {
  if (own || !mayBeCall(access))
    return guardByBranch(access, allowed);
  Function *function = functionFor(access);
  IRBuilder<> builder(&access);
  SmallVector<Value *> arguments = {allowed};
  for (Value *operand : access.operands())
    arguments.push_back(operand);
  Value *&address = arguments[addressOperand(access) + 1];
  address = builder.CreateAddrSpaceCast(address, builder.getPtrTy());
  Value *result = builder.CreateCall(function, arguments);
  if (!access.getType()->isVoidTy())
    access.replaceAllUsesWith(result);
  access.eraseFromParent();
}

} // namespace heddle::engine
