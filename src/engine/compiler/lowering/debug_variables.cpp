// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/lowering/debug_variables.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine {
namespace {

DIType *uint3Type(DIBuilder &debug, DIFile *file) {
  DIType *number = debug.createBasicType("unsigned int", 32, dwarf::DW_ATE_unsigned);
  SmallVector<Metadata *> members;
  const char *names[] = {"x", "y", "z"};
  for (unsigned i = 0; i < 3; ++i)
    members.push_back(
        debug.createMemberType(file, names[i], file, 0, 32, 32, 32 * i, DINode::FlagZero, number));
  return debug.createStructType(file, "uint3", file, 0, 96, 32, DINode::FlagZero, nullptr,
                                debug.getOrCreateArray(members));
}

void declare(Function &function, DIBuilder &debug) {
  DISubprogram *scope = function.getSubprogram();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *slot = builder.CreateAlloca(builder.getPtrTy(), nullptr, "context.slot");
  Instruction *first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  builder.SetInsertPoint(first);
  builder.CreateStore(contextOf(function), slot);
  DIType *type = uint3Type(debug, scope->getFile());
  const DILocation *where = DILocation::get(function.getContext(), scope->getLine(), 0, scope);
  auto add = [&](const char *name, ArrayRef<uint64_t> steps) {
    DILocalVariable *variable = debug.createAutoVariable(
        scope, name, scope->getFile(), scope->getLine(), type, true, DINode::FlagArtificial);
    debug.insertDeclare(slot, variable, debug.createExpression(steps), where, first);
  };
  using namespace dwarf;
  constexpr uint64_t block = offsetof(ThreadContext, block);
  add("threadIdx", {DW_OP_deref, DW_OP_plus_uconst, offsetof(ThreadContext, thread_index)});
  add("blockIdx", {DW_OP_deref, DW_OP_plus_uconst, block, DW_OP_deref, DW_OP_plus_uconst,
                   offsetof(BlockContext, block_index)});
  add("blockDim", {DW_OP_deref, DW_OP_plus_uconst, block, DW_OP_deref, DW_OP_plus_uconst,
                   offsetof(BlockContext, block_dim)});
  add("gridDim", {DW_OP_deref, DW_OP_plus_uconst, block, DW_OP_deref, DW_OP_plus_uconst,
                  offsetof(BlockContext, grid_dim)});
}

} // namespace

void addDebugVariables(Module &module) {
  // Clang emits DWARF 2 with NVIDIA's address classes. Variables in device memory have no fixed
  // address here, so their locations are dropped.
  module.setModuleFlag(Module::Max, "Dwarf Version", 4);
  for (GlobalVariable &variable : module.globals())
    variable.eraseMetadata(LLVMContext::MD_dbg);
  for (DICompileUnit *unit : module.debug_compile_units())
    unit->replaceGlobalVariables(nullptr);
  for (Function &function : module) {
    DISubprogram *scope = function.getSubprogram();
    if (!takesContext(function) || !scope ||
        scope->getUnit()->getEmissionKind() != DICompileUnit::FullDebug)
      continue;
    DIBuilder debug(module, true, scope->getUnit());
    declare(function, debug);
    debug.finalizeSubprogram(scope);
  }
}

} // namespace heddle::engine
