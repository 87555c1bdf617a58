// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/thread_function.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/lowering/kernel_parameter.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "module/pass_analyses.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Alignments beyond this are tested at run time where they matter: a program that uses wide
// accesses only if the data is aligned must also work if it is not.
constexpr uint64_t most_assumed = 8;
constexpr unsigned generic_space = 0; // NVPTX's number
// Functions of the device library that are called lane by lane: large ones for rare cases.
constexpr StringLiteral lane_function_prefix = "__heddle_lane_";

Value *copyOf(IRBuilder<> &builder, Value *address, const Argument &parameter) {
  Type *type = parameter.getParamByValType();
  AllocaInst *copy = builder.CreateAlloca(type);
  copy->setAlignment(parameter.getParamAlign().valueOrOne());
  const DataLayout &data = parameter.getParent()->getParent()->getDataLayout();
  builder.CreateMemCpy(copy, copy->getAlign(), address, parameter.getParamAlign().valueOrOne(),
                       data.getTypeAllocSize(type));
  return copy;
}

// The largest alignment that accesses through the pointer need and that depends on the pointer.
uint64_t alignmentNeeded(const Value &pointer, const DataLayout &data) {
  uint64_t needed = 1;
  const auto access = [&](Align align) {
    if (align.value() <= most_assumed)
      needed = std::max(needed, align.value());
  };
  for (const Use &use : pointer.uses()) {
    const auto *user = cast<Instruction>(use.getUser());
    if (const auto *load = dyn_cast<LoadInst>(user)) {
      access(load->getAlign());
    } else if (const auto *store = dyn_cast<StoreInst>(user)) {
      if (use.getOperandNo() == 1)
        access(store->getAlign());
    } else if (const auto *atomic = dyn_cast<AtomicRMWInst>(user)) {
      access(atomic->getAlign());
    } else if (isa<AddrSpaceCastInst>(user)) {
      needed = std::max(needed, alignmentNeeded(*user, data));
    } else if (const auto *gep = dyn_cast<GetElementPtrInst>(user)) {
      const auto offset = offsetOf(*gep, data);
      if (!offset)
        continue;
      uint64_t steps = offset->constant.getZExtValue();
      for (const auto &[index, scale] : offset->variable)
        steps |= scale.getZExtValue();
      const uint64_t behind = alignmentNeeded(*gep, data);
      needed = std::max(needed, steps ? std::min(behind, steps & -steps) : behind);
    }
  }
  return needed;
}

} // namespace

void inlineCalls(Module &module) {
  SmallPtrSet<const Function *, 8> recursive;
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      for (CallGraphNode *node : *component)
        recursive.insert(node->getFunction());
  for (Function &function : module) {
    if (function.isDeclaration() || recursive.contains(&function) ||
        function.getName().starts_with(lane_function_prefix))
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user))
        call->removeFnAttr(Attribute::NoInline);
  }
  PassAnalyses analyses;
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  // So that, for example, atomics on memory that is known to be shared need no lock prefix.
  passes.addPass(createModuleToFunctionPassAdaptor(InferAddressSpacesPass(generic_space)));
  passes.run(module, analyses.modules);
}

ThreadFunction makeThreadFunction(Function &kernel, const KernelInfo &info) {
  LLVMContext &context = kernel.getContext();
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context),
                                 {pointer, pointer, i32, i32, i32, i32, i32}, false);
  ThreadFunction result;
  Function *function = Function::Create(type, GlobalValue::InternalLinkage,
                                        "heddle.gang." + kernel.getName(), kernel.getParent());
  result.function = function;
  function->setAttributes(AttributeList().addFnAttributes(
      context, AttrBuilder(context, kernel.getAttributes().getFnAttrs())));
  function->removeFnAttr(Attribute::AlwaysInline);
  function->removeFnAttr(Attribute::NoReturn);
  function->removeFnAttr(Attribute::WillReturn);
  function->removeFnAttr(Attribute::Memory);
  function->addFnAttr(gang_attribute);
  if (DISubprogram *scope = kernel.getSubprogram())
    function->setSubprogram(scope);
  const char *names[] = {"gang", "parameters", "x", "y", "z", "lanes", "state"};
  for (unsigned i = 0; i < std::size(names); ++i)
    function->getArg(i)->setName(names[i]);

  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  if (DISubprogram *scope = kernel.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(context, scope->getLine(), 0, scope));
  SmallVector<Value *> arguments = {function->getArg(0)};
  std::vector<std::pair<LoadInst *, uint32_t>> pointers;
  for (unsigned i = 0; i < info.parameters.size(); ++i) {
    Argument &parameter = *kernel.getArg(i + 1);
    auto [value, load] = readParameter(builder, parameter, function->getArg(parameters_argument),
                                       info.parameters[i]);
    if (parameter.hasByValAttr()) {
      if (!isReadInPlace(parameter))
        value = copyOf(builder, value, parameter);
      parameter.removeAttr(Attribute::ByVal); // else inlining would make another copy
    } else {
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
      if (parameter.getType()->isPointerTy())
        pointers.push_back({load, info.parameters[i].offset});
    }
    arguments.push_back(value);
  }
  CallInst *call = builder.CreateCall(&kernel, arguments);
  call->setCallingConv(kernel.getCallingConv());
  builder.CreateRetVoid();
  InlineFunctionInfo inlining;
  if (const InlineResult inlined = InlineFunction(*call, inlining); !inlined.isSuccess())
    throw Unsupported(std::string("it cannot be inlined: ") + inlined.getFailureReason());
  for (auto [load, offset] : pointers) {
    const uint64_t needed = alignmentNeeded(*load, kernel.getParent()->getDataLayout());
    if (needed == 1)
      continue;
    load->setMetadata(LLVMContext::MD_align, MDNode::get(context, MDBuilder(context).createConstant(
                                                                      builder.getInt64(needed))));
    result.aligned.push_back({offset, uint32_t(needed)});
  }
  return result;
}

} // namespace heddle::engine::simd
