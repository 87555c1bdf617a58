// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/host_only_calls.h"

#include "frontend/rules/rules.h"
#include "frontend/wrapped/lenient_statements.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <utility>

using namespace clang;

namespace heddle::frontend {
namespace {

// The host functions that the code for both sides uses, by what Sema has seen of it so far.
thread_local llvm::DenseSet<const FunctionDecl *> used;

// As SemaCUDA::IdentifyTarget, for a function of the host alone: also for what the C library
// defines and Clang knows (abort), but not for Clang's own builtins.
bool isHostOnly(const FunctionDecl &function) {
  if (function.hasAttr<CUDADeviceAttr>() || function.hasAttr<CUDAGlobalAttr>())
    return false;
  if (const unsigned builtin = function.getBuiltinID())
    return function.getASTContext().BuiltinInfo.isPredefinedLibFunction(builtin);
  // What Clang declares is for both, unless it has found that it must call host functions.
  return function.hasAttr<CUDAHostAttr>() || (!function.isImplicit() && function.isUserProvided());
}

// Clang may have made other things of a library function than calls, or calls of other things.
bool isCalledHere(const FunctionDecl &function) {
  return isHostOnly(function) &&
         (!function.getBuiltinID() || used.contains(function.getCanonicalDecl()));
}

bool isForBoth(const FunctionDecl &function) {
  return function.hasAttr<CUDADeviceAttr>() && function.hasAttr<CUDAHostAttr>();
}

bool isUnused(llvm::GlobalValue &value) {
  value.removeDeadConstantUsers();
  return value.use_empty() && (value.isDeclaration() || value.isDiscardableIfUnused());
}

// What only host functions have used. (Bodies of members are emitted on either side.) Kernels and
// variables for the host to see are none of it: those are always visible.
void removeUnused(llvm::Module &module) {
  for (bool again = true; std::exchange(again, false);)
    for (llvm::Function &function : llvm::make_early_inc_range(module))
      if (isUnused(function)) {
        function.eraseFromParent();
        again = true;
      }
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals()))
    if (variable.isDeclaration() && isUnused(variable))
      variable.eraseFromParent();
}

// An assertion without a file is a trap with its reason (engine/schedule/services.cpp).
void endKernel(llvm::Function &function, const std::string &name) {
  llvm::Module &module = *function.getParent();
  function.deleteBody();
  function.setComdat(nullptr);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &function));
  auto *null = llvm::ConstantPointerNull::get(builder.getPtrTy());
  const llvm::FunctionCallee fail = module.getOrInsertFunction(
      "__assertfail", builder.getVoidTy(), builder.getPtrTy(), builder.getPtrTy(),
      builder.getInt32Ty(), builder.getPtrTy(), builder.getInt64Ty());
  builder.CreateCall(
      fail, {builder.CreateGlobalStringPtr("device code called the __host__ function " + name),
             null, builder.getInt32(0), null, builder.getInt64(1)});
  builder.CreateUnreachable();
}

} // namespace

bool isHostOnlyCall(SemaCUDA &sema, const FunctionDecl *caller, const FunctionDecl *callee) {
  if (!sema.getLangOpts().CUDAIsDevice || !caller || !callee || !isForBoth(*caller) ||
      !isHostOnly(*callee))
    return false;
  used.insert(callee->getCanonicalDecl());
  return true;
}

std::unique_ptr<ASTConsumer> DeviceAction::CreateASTConsumer(CompilerInstance &instance,
                                                             llvm::StringRef file) {
  auto generate = EmitLLVMOnlyAction::CreateASTConsumer(instance, file);
  return check_ ? inOrder(makeRules(instance, options_), std::move(generate)) : std::move(generate);
}

void DeviceAction::ExecuteAction() {
  used.clear();
  // Declarations are looked at when all is emitted.
  getCompilerInstance().getCodeGenOpts().ClearASTBeforeBackend = false;
  EmitLLVMOnlyAction::ExecuteAction();
  clang::CodeGenerator *generator = getCodeGenerator();
  llvm::Module *module = generator ? generator->GetModule() : nullptr;
  if (!module)
    return;
  ignoreSenselessUnrolling(*module);
  bool any = false;
  for (llvm::Function &function : *module) {
    if (function.isIntrinsic())
      continue;
    const auto *declaration =
        llvm::dyn_cast_or_null<FunctionDecl>(generator->GetDeclForMangledName(function.getName()));
    if (!declaration || !isCalledHere(*declaration))
      continue;
    endKernel(function, declaration->getQualifiedNameAsString());
    any = true;
  }
  if (any)
    removeUnused(*module);
}

} // namespace heddle::frontend
