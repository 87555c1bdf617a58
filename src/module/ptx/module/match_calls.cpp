// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/module/match_calls.h"

#include "module/check.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle {
namespace {

// The value with the same bits as another type, or null.
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

bool matchCall(CallInst &call, Function &callee) {
  FunctionType *type = callee.getFunctionType();
  if (call.arg_size() != type->getNumParams())
    return false;
  IRBuilder<> builder(&call);
  SmallVector<Value *> arguments;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (Value *argument = castTo(builder, call.getArgOperand(i), type->getParamType(i)))
      arguments.push_back(argument);
    else
      return false;
  CallInst *matched = builder.CreateCall(type, &callee, arguments);
  matched->setCallingConv(callee.getCallingConv());
  AttributeList attributes = callee.getAttributes();
  matched->setAttributes(AttributeList::get(call.getContext(), attributes.getFnAttrs(), {}, {}));
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.isByValArgument(i) && type->getParamType(i)->isPointerTy())
      matched->setAttributes(matched->getAttributes().addParamAttributes(
          call.getContext(), i,
          AttrBuilder(call.getContext(), call.getAttributes().getParamAttrs(i))));
  Value *result = call.use_empty() ? nullptr : castTo(builder, matched, call.getType());
  if (!call.use_empty() && !result) {
    matched->eraseFromParent();
    return false;
  }
  if (result)
    call.replaceAllUsesWith(result);
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
