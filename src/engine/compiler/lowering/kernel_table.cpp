// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/lowering/kernel_table.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/guards.h"
#include "engine/compiler/lowering/kernel_parameter.h"
#include "engine/compiler/lowering/thread_context.h"
#include "module/description/describe.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine {
namespace {

// Bytes of a stack frame besides its local variables: spills, saved registers, the return address.
constexpr uint64_t frame_overhead = 256;

Function *makeEntry(Function &kernel, const KernelInfo &info) {
  Module &module = *kernel.getParent();
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false);
  Function *entry = Function::Create(type, GlobalValue::InternalLinkage,
                                     "heddle.entry." + kernel.getName(), module);
  IRBuilder<> builder(BasicBlock::Create(context, "", entry));
  SmallVector<Value *> arguments = {entry->getArg(0)};
  for (unsigned i = 0; i < info.parameters.size(); ++i)
    arguments.push_back(
        readParameter(builder, *kernel.getArg(i + 1), entry->getArg(1), info.parameters[i]).value);
  CallInst *call = builder.CreateCall(&kernel, arguments);
  // A struct passed by value is copied for the thread if the kernel changes it.
  for (unsigned i = 1; i < kernel.arg_size(); ++i)
    if (isReadInPlace(*kernel.getArg(i))) {
      kernel.removeParamAttr(i, Attribute::ByVal);
    } else if (kernel.getArg(i)->hasByValAttr()) {
      call->addParamAttr(i, Attribute::getWithByValType(context, kernel.getParamByValType(i)));
      call->addParamAttr(
          i, Attribute::getWithAlignment(context, kernel.getParamAlign(i).valueOrOne()));
    }
  builder.CreateRetVoid();
  kernel.setLinkage(GlobalValue::InternalLinkage);
  return entry;
}

uint64_t stackBytes(const Function &function) {
  const DataLayout &data = function.getParent()->getDataLayout();
  uint64_t bytes = frame_overhead + frameBytes(function);
  for (const Argument &argument : function.args())
    if (argument.hasByValAttr())
      bytes += data.getTypeAllocSize(argument.getParamByValType());
  return bytes;
}

} // namespace

void addModuleTable(Module &module, StringRef symbol, ArrayRef<Constant *> kernels,
                    StructType *kernel_type, Function *init_globals) {
  LLVMContext &context = module.getContext();
  IRBuilder<> builder(context);
  auto *array_type = ArrayType::get(kernel_type, kernels.size());
  auto *array = new GlobalVariable(module, array_type, true, GlobalValue::InternalLinkage,
                                   ConstantArray::get(array_type, kernels), "heddle.kernels");
  Constant *start = init_globals ? static_cast<Constant *>(init_globals)
                                 : ConstantPointerNull::get(builder.getPtrTy());
  Constant *fields[] = {builder.getInt32(abi_version), builder.getInt32(uint32_t(kernels.size())),
                        array, start};
  Constant *table = ConstantStruct::getAnon(context, fields);
  new GlobalVariable(module, table->getType(), true, GlobalValue::ExternalLinkage, table, symbol);
}

void addKernelTable(Module &module, const ImageInfo &info, Function *init_globals) {
  LLVMContext &context = module.getContext();
  IRBuilder<> builder(context);
  Type *pointer = builder.getPtrTy();
  // KernelEntryInfo, field by field.
  auto *kernel_type =
      StructType::get(context, {pointer, pointer, builder.getInt64Ty(), builder.getInt32Ty()});
  SmallVector<Constant *> kernels;
  for (const KernelInfo &kernel_info : info.kernels) {
    Function *kernel = module.getFunction(kernel_info.name);
    if (!kernel)
      throw std::runtime_error("the image has no kernel " + kernel_info.name);
    uint64_t stack = 0;
    bool recursive = false;
    for (const Function *function : reachableFrom(*kernel).functions) {
      stack += stackBytes(*function);
      recursive |= mayRecurse(*function);
    }
    Constant *name = builder.CreateGlobalString(kernel_info.name, "name", 0, &module);
    kernels.push_back(
        ConstantStruct::get(kernel_type, {name, makeEntry(*kernel, kernel_info),
                                          builder.getInt64(stack), builder.getInt32(recursive)}));
  }
  addModuleTable(module, "heddle_module", kernels, kernel_type, init_globals);
}

} // namespace heddle::engine
