// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/module/match_calls.h"

#include "module/passes/check.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle {
namespace {

// The value's bits as another type, or null if that is not possible.
Value *castTo(IRBuilder<> &builder, Value *value, Type *type) {
  Type *from = value->getType();
  const DataLayout &data = builder.GetInsertBlock()->getModule()->getDataLayout();
  if (from == type)
    return value;
  if (!from->isSingleValueType() || !type->isSingleValueType() ||
      data.getTypeSizeInBits(from) != data.getTypeSizeInBits(type))
    return nullptr;
  return builder.CreateBitOrPointerCast(value, type);
}

// Converts the call's result for its users. PTX returns arrays through a leading pointer, Clang's
// functions return structures.
bool takeResult(IRBuilder<> &builder, CallInst &call, CallInst &matched, bool in_memory) {
  if (in_memory) {
    builder.CreateAlignedStore(&matched, call.getArgOperand(0), call.getParamAlign(0).valueOrOne());
    return true;
  }
  if (call.use_empty())
    return true;
  Value *result = castTo(builder, &matched, call.getType());
  if (result)
    call.replaceAllUsesWith(result);
  return result;
}

bool matchCall(CallInst &call, Function &callee) {
  FunctionType *type = callee.getFunctionType();
  const bool in_memory = call.hasStructRetAttr() && !callee.hasStructRetAttr();
  const unsigned skipped = in_memory ? 1 : 0;
  if (call.arg_size() != type->getNumParams() + skipped ||
      (in_memory && type->getReturnType()->isVoidTy()))
    return false;
  IRBuilder<> builder(&call);
  SmallVector<Value *> arguments;
  SmallVector<AttributeSet> attributes;
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    const unsigned from = i + skipped;
    Value *argument = castTo(builder, call.getArgOperand(from), type->getParamType(i));
    if (!argument)
      return false;
    arguments.push_back(argument);
    attributes.push_back(call.isByValArgument(from) ? call.getAttributes().getParamAttrs(from)
                                                    : AttributeSet());
  }
  CallInst *matched = builder.CreateCall(type, &callee, arguments);
  matched->setCallingConv(callee.getCallingConv());
  matched->setAttributes(
      AttributeList::get(call.getContext(), callee.getAttributes().getFnAttrs(), {}, attributes));
  if (!takeResult(builder, call, *matched, in_memory)) {
    matched->eraseFromParent();
    return false;
  }
  call.eraseFromParent();
  return true;
}

} // namespace

void typeEngineFunctions(Module &module) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *i64 = Type::getInt64Ty(context),
       *i32 = Type::getInt32Ty(context), *nothing = Type::getVoidTy(context);
  const std::pair<StringRef, FunctionType *> known[] = {
      {"vprintf", FunctionType::get(i32, {pointer, pointer}, false)},
      {"malloc", FunctionType::get(pointer, {i64}, false)},
      {"free", FunctionType::get(nothing, {pointer}, false)},
      {"__assertfail", FunctionType::get(nothing, {pointer, pointer, i32, pointer, i64}, false)}};
  for (auto [name, type] : known) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration() || function->getFunctionType() == type)
      continue;
    Function *typed = Function::Create(type, GlobalValue::ExternalLinkage, "", module);
    typed->takeName(function);
    function->replaceAllUsesWith(typed);
    function->eraseFromParent();
  }
}

std::vector<std::string> matchCalls(Module &module) {
  std::vector<std::string> problems;
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<CallInst>(&instruction);
      auto *callee = call ? dyn_cast<Function>(call->getCalledOperand()) : nullptr;
      if (!callee || callee->getFunctionType() == call->getFunctionType())
        continue;
      const std::string name = callee->getName().str(), where = sourceLocation(*call);
      if (!matchCall(*call, *callee))
        problems.push_back(where + "error: the call does not fit what '" + name +
                           "' takes and gives");
    }
  return problems;
}

} // namespace heddle
