// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/lowering/thread_context.h"

#include "engine/abi.h"
#include "module/passes/check.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine {
namespace {

constexpr const char *context_attribute = "heddle.context";

FunctionType *withContext(FunctionType *type) {
  SmallVector<Type *> parameters = {PointerType::get(type->getContext(), 0)};
  parameters.append(type->param_begin(), type->param_end());
  return FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
}

AttributeList shiftAttributes(LLVMContext &context, AttributeList old, unsigned count,
                              AttributeSet first) {
  SmallVector<AttributeSet> parameters = {first};
  for (unsigned i = 0; i < count; ++i)
    parameters.push_back(old.getParamAttrs(i));
  // `allocsize` names parameters by their number.
  AttributeSet function = old.getFnAttrs().removeAttribute(context, Attribute::AllocSize);
  return AttributeList::get(context, function, old.getRetAttrs(), parameters);
}

Function *rewrite(Function &old) {
  Function *function =
      Function::Create(withContext(old.getFunctionType()), old.getLinkage(), "", old.getParent());
  function->copyAttributesFrom(&old);
  AttrBuilder context_attributes(old.getContext());
  context_attributes.addAttribute(Attribute::NonNull);
  context_attributes.addAttribute(Attribute::NoUndef);
  context_attributes.addDereferenceableAttr(sizeof(ThreadContext));
  AttributeList attributes =
      shiftAttributes(old.getContext(), old.getAttributes(), old.arg_size(),
                      AttributeSet::get(old.getContext(), context_attributes));
  // The function reads the context now, whatever its memory attribute was.
  attributes = attributes.removeFnAttribute(old.getContext(), Attribute::Memory);
  function->setAttributes(attributes);
  function->addFnAttr(context_attribute);
  function->copyMetadata(&old, 0);
  function->splice(function->begin(), &old);
  contextOf(*function)->setName("context");
  for (unsigned i = 0; i < old.arg_size(); ++i) {
    function->getArg(i + 1)->takeName(old.getArg(i));
    old.getArg(i)->replaceAllUsesWith(function->getArg(i + 1));
  }
  function->takeName(&old);
  old.replaceAllUsesWith(function);
  old.eraseFromParent();
  return function;
}

bool needsContext(const CallBase &call) {
  if (call.isInlineAsm())
    return false;
  const Function *callee = call.getCalledFunction();
  return !callee || (!callee->isIntrinsic() && !isEngineFunction(callee->getName()));
}

void rewriteCall(CallBase &call) {
  SmallVector<Value *> arguments = {contextOf(*call.getFunction())};
  arguments.append(call.arg_begin(), call.arg_end());
  CallInst *replacement =
      CallInst::Create(withContext(call.getFunctionType()), call.getCalledOperand(), arguments, "",
                       call.getIterator());
  AttributeList attributes =
      shiftAttributes(call.getContext(), call.getAttributes(), call.arg_size(), AttributeSet());
  replacement->setAttributes(attributes.removeFnAttribute(call.getContext(), Attribute::Memory));
  replacement->setCallingConv(call.getCallingConv());
  replacement->copyMetadata(call);
  replacement->setDebugLoc(call.getDebugLoc());
  replacement->takeName(&call);
  call.replaceAllUsesWith(replacement);
  call.eraseFromParent();
}

Value *loadInvariant(IRBuilderBase &builder, Type *type, Value *base, uint64_t offset) {
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  LoadInst *load = builder.CreateLoad(type, address);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

} // namespace

void addThreadContext(Module &module) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  SmallVector<CallBase *> calls;
  for (Function *&function : functions)
    function = rewrite(*function);
  for (Function *function : functions)
    for (Instruction &instruction : instructions(*function))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && needsContext(*call))
        calls.push_back(call);
  for (CallBase *call : calls)
    rewriteCall(*call);
}

bool takesContext(const Function &function) { return function.hasFnAttribute(context_attribute); }

Value *loadThreadField(IRBuilderBase &builder, Value *context, Type *type, uint64_t offset) {
  return loadInvariant(builder, type, context, offset);
}

Value *loadBlockField(IRBuilderBase &builder, Value *context, Type *type, uint64_t offset) {
  Value *block =
      loadInvariant(builder, builder.getPtrTy(), context, offsetof(ThreadContext, block));
  return loadInvariant(builder, type, block, offset);
}

CallInst *callRuntime(IRBuilderBase &builder, Value *context, uint64_t offset, Type *result,
                      ArrayRef<Value *> arguments) {
  Value *table =
      loadInvariant(builder, builder.getPtrTy(), context, offsetof(ThreadContext, runtime));
  Value *service = loadInvariant(builder, builder.getPtrTy(), table, offset);
  SmallVector<Value *> all = {context};
  all.append(arguments.begin(), arguments.end());
  SmallVector<Type *> types;
  for (Value *argument : all)
    types.push_back(argument->getType());
  CallInst *call = builder.CreateCall(FunctionType::get(result, types, false), service, all);
  call->addFnAttr(Attribute::NoUnwind);
  return call;
}

} // namespace heddle::engine
