// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/launches.h"

#include "__heddle/device_calls.h"
#include "module/description/describe.h"
#include "module/passes/check.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cstddef>
#include <stdexcept>

using namespace llvm;
using __heddle::LaunchCall;

namespace heddle {
namespace {

constexpr const char *push_configuration = "__cudaPushCallConfiguration";
constexpr const char *launched_attribute = "heddle-launched"; // of kernel declarations
constexpr const char *named_kernels = "heddle.named_kernels";

// The kernel call that belongs to `push`: the last one before the block that Clang names kcall.end,
// to which the branch on the configuration's result leads, too.
CallBase &kernelCall(CallBase &push) {
  BranchInst *branch = nullptr;
  for (Instruction *next = &push; next && !branch;) {
    branch = dyn_cast<BranchInst>(next);
    next = next->hasOneUse() ? cast<Instruction>(next->user_back()) : nullptr;
  }
  if (branch && branch->isConditional()) {
    const BasicBlock *end = branch->getSuccessor(0);
    for (const BasicBlock *before : predecessors(end)) {
      if (before == branch->getParent())
        continue;
      const Instruction *last = before->getTerminator()->getPrevNonDebugInstruction();
      while (last && isa<IntrinsicInst>(last))
        last = last->getPrevNonDebugInstruction();
      if (auto *call = dyn_cast_or_null<CallBase>(last))
        return const_cast<CallBase &>(*call);
    }
  }
  throw std::runtime_error("internal error: no kernel is called behind a launch's configuration");
}

class Launch {
public:
  explicit Launch(CallBase &push)
      : push_(push), call_(kernelCall(push)), data_(push.getModule()->getDataLayout()),
        b_(push.getContext()) {}

  void lower() {
    record_ = slot(sizeof(LaunchCall));
    b_.SetInsertPoint(&push_);
    for (unsigned i = 0; i < 2; ++i)
      b_.CreateMemCpy(field(i ? offsetof(LaunchCall, block) : offsetof(LaunchCall, grid)), Align(4),
                      push_.getArgOperand(i), Align(4), sizeof(LaunchCall::grid));
    b_.CreateStore(push_.getArgOperand(2), field(offsetof(LaunchCall, shared_bytes)));
    b_.CreateStore(push_.getArgOperand(3), field(offsetof(LaunchCall, stream)));
    push_.replaceAllUsesWith(ConstantInt::get(push_.getType(), 0));
    push_.eraseFromParent();

    b_.SetInsertPoint(&call_);
    b_.CreateStore(call_.getCalledOperand(), field(offsetof(LaunchCall, kernel)));
    b_.CreateStore(packArguments(), field(offsetof(LaunchCall, parameters)));
    FunctionCallee ask = call_.getModule()->getOrInsertFunction(device_call, b_.getInt32Ty(),
                                                                b_.getInt32Ty(), b_.getPtrTy());
    b_.CreateCall(ask, {b_.getInt32(__heddle::device_call_launch), record_});
    call_.eraseFromParent();
  }

private:
  Value *packArguments() {
    PackedParameters packed;
    for (unsigned i = 0; i < call_.arg_size(); ++i)
      packed.add(data_, call_.getArgOperand(i)->getType(),
                 call_.isByValArgument(i) ? call_.getParamByValType(i) : nullptr,
                 call_.getParamAlign(i));
    if (packed.bytes == 0)
      return ConstantPointerNull::get(b_.getPtrTy());
    Value *buffer = slot(packed.bytes);
    for (unsigned i = 0; i < call_.arg_size(); ++i) {
      Value *argument = call_.getArgOperand(i);
      const auto [offset, size] = packed.places[i];
      Value *place = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), buffer, offset);
      if (call_.isByValArgument(i))
        b_.CreateMemCpy(place, MaybeAlign(), argument, call_.getParamAlign(i), size);
      else
        b_.CreateAlignedStore(argument, place, Align(1));
    }
    return buffer;
  }

  Value *slot(uint64_t bytes) {
    BasicBlock &entry = call_.getFunction()->getEntryBlock();
    const IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(&entry, entry.begin());
    AllocaInst *memory = b_.CreateAlloca(ArrayType::get(b_.getInt8Ty(), bytes));
    memory->setAlignment(Align(16));
    return memory;
  }

  Value *field(uint64_t offset) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), record_, offset);
  }

  CallBase &push_, &call_;
  const DataLayout &data_;
  IRBuilder<> b_;
  Value *record_ = nullptr;
};

// llvm.used and similar lists only keep a kernel; they do not use its address.
bool namesKernel(const Use &use) {
  const auto *list = dyn_cast<ConstantArray>(use.getUser());
  return !list || none_of(list->users(), [](const User *user) {
    const auto *variable = dyn_cast<GlobalVariable>(user);
    return variable && variable->getName().starts_with("llvm.");
  });
}

// The source location of a launch of an undefined function.
std::string placeOfLaunch(const Function &kernel) {
  for (const User *user : kernel.users())
    if (auto *instruction = dyn_cast<Instruction>(user))
      return sourceLocation(*instruction);
  return "";
}

} // namespace

void PackedParameters::add(const DataLayout &data, Type *type, Type *by_value,
                           MaybeAlign by_value_align) {
  Type *held = by_value ? by_value : type;
  const Align natural = data.getABITypeAlign(held);
  const Align align = by_value ? by_value_align.value_or(natural) : natural;
  const uint64_t offset = alignTo(bytes, align), size = data.getTypeAllocSize(held);
  places.push_back({offset, size});
  bytes = offset + size;
}

std::vector<std::string> lowerLaunches(Module &module) {
  if (Function *push = module.getFunction(push_configuration)) {
    for (User *user : make_early_inc_range(push->users())) {
      auto &configuration = *cast<CallBase>(user);
      if (Function *kernel = kernelCall(configuration).getCalledFunction();
          kernel && kernel->isDeclaration())
        kernel->addFnAttr(launched_attribute);
      Launch(configuration).lower();
    }
    if (push->use_empty())
      push->eraseFromParent();
  }
  std::vector<std::string> problems;
  if (const Function *wait = module.getFunction("cudaDeviceSynchronize"))
    for (const User *user : wait->users())
      if (auto *call = dyn_cast<CallBase>(user))
        problems.push_back(
            sourceLocation(*call) +
            "error: cudaDeviceSynchronize() in device code: kernels cannot wait for "
            "those that they launch, unless they are compiled for a GPU before sm_90 "
            "and with -DCUDA_FORCE_CDP1_IF_SUPPORTED");
  return problems;
}

// Replaces kernel addresses in device code by numbers.
std::vector<std::string> numberKernels(Module &module) {
  std::vector<std::string> problems;
  NamedMDNode *numbers = nullptr;
  for (Function &function : module) {
    if (function.isDeclaration() && function.hasFnAttribute(launched_attribute))
      problems.push_back(placeOfLaunch(function) + "error: kernel '" +
                         demangle(function.getName().str()) +
                         "' is launched here, but defined nowhere in this program");
    if (function.isDeclaration() || !isKernel(function) || none_of(function.uses(), namesKernel))
      continue;
    if (!numbers)
      numbers = module.getOrInsertNamedMetadata(named_kernels);
    Type *i64 = Type::getInt64Ty(module.getContext());
    Constant *number = ConstantExpr::getIntToPtr(
        ConstantInt::get(i64, __heddle::first_kernel + numbers->getNumOperands()),
        function.getType());
    function.replaceUsesWithIf(number, [](Use &use) { return namesKernel(use); });
    // Only device code may launch it, which the optimiser does not see.
    function.setLinkage(GlobalValue::ExternalLinkage);
    function.setComdat(nullptr);
    numbers->addOperand(
        MDNode::get(module.getContext(), MDString::get(module.getContext(), function.getName())));
  }
  return problems;
}

SmallVector<Function *> namedKernels(const Module &module) {
  SmallVector<Function *> kernels;
  if (const NamedMDNode *numbers = module.getNamedMetadata(named_kernels))
    for (const MDNode *number : numbers->operands()) {
      const StringRef name = cast<MDString>(number->getOperand(0))->getString();
      Function *kernel = module.getFunction(name);
      if (!kernel)
        throw std::runtime_error("internal error: kernel " + name.str() + " has vanished");
      kernels.push_back(kernel);
    }
  return kernels;
}

} // namespace heddle
