// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/managed_variables.h"

#include "frontend/rules/rules.h"
#include "frontend/rules/sides.h"
#include "frontend/wrapped/device_bodies.h"
#include "module/annotations.h"
#include "module/description/layout.h"
#include "support/strict.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

#include <algorithm>

namespace heddle::frontend {

bool isManaged(const clang::VarDecl &variable) { return hasNote(variable, managed_attribute); }

namespace {

// Sees each declaration before code generation does.
class UnmarkManaged : public clang::ASTConsumer {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group)
      visit(declaration);
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *variable) override { visit(variable); }

private:
  void visit(clang::Decl *declaration) {
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      if (isManaged(*variable))
        variable->dropAttr<clang::CUDADeviceAttr>();
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(
                   declaration)) {
      for (clang::Decl *inner : llvm::cast<clang::DeclContext>(declaration)->decls())
        visit(inner);
    }
  }
};

// Where the program registers its kernels, and the handle of its device code there.
struct Registration {
  llvm::Instruction *where = nullptr;
  llvm::Value *handle = nullptr;
};

Registration findRegistration(llvm::Module &module) {
  for (llvm::Function &function : module) {
    auto *call =
        function.hasOneUse() ? llvm::dyn_cast<llvm::CallInst>(*function.user_begin()) : nullptr;
    if (!call)
      continue;
    if (function.getName() == "__cudaRegisterFatBinaryEnd")
      return {call, call->getArgOperand(0)};
    // With -rdc=true, the function that registers is handed to what the device link makes.
    if (function.getName().starts_with("__cudaRegisterLinkedBinary")) {
      auto *callback = llvm::cast<llvm::Function>(call->getArgOperand(0));
      return {&*callback->getEntryBlock().getFirstInsertionPt(), callback->getArg(0)};
    }
  }
  return {};
}

// heddle check closes the pages of such a variable to host code while kernels run that the host has
// not waited for. They must hold nothing else. The variable's type becomes one that fills them.
llvm::GlobalVariable *giveOwnPages(llvm::GlobalVariable &variable) {
  constexpr uint64_t page = 4096;
  llvm::Module &module = *variable.getParent();
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *type = variable.getValueType();
  const uint64_t bytes = module.getDataLayout().getTypeAllocSize(type);
  llvm::Type *rest = llvm::ArrayType::get(
      llvm::Type::getInt8Ty(context), llvm::alignTo(std::max<uint64_t>(bytes, 1), page) - bytes);
  llvm::Constant *value = llvm::ConstantStruct::getAnon(
      context, {variable.getInitializer(), llvm::Constant::getNullValue(rest)}, /*Packed=*/true);
  auto *padded = new llvm::GlobalVariable(
      module, value->getType(), variable.isConstant(), variable.getLinkage(), value, "", &variable,
      variable.getThreadLocalMode(), variable.getAddressSpace());
  padded->copyAttributesFrom(&variable);
  padded->setComdat(variable.getComdat());
  padded->copyMetadata(&variable, 0);
  padded->setAlignment(std::max(variable.getAlign().valueOrOne(), llvm::Align(page)));
  padded->takeName(&variable);
  variable.replaceAllUsesWith(padded);
  variable.eraseFromParent();
  return padded;
}

struct RegisterManagedPass : llvm::PassInfoMixin<RegisterManagedPass> {
  static bool isRequired() { return true; }

  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    llvm::SmallSetVector<llvm::GlobalVariable *, 8> variables; // one declared again is there twice
    for (llvm::GlobalVariable *variable : annotatedVariables(module, managed_attribute))
      variables.insert(variable);
    const Registration registration = findRegistration(module);
    if (variables.empty() || !registration.where)
      return llvm::PreservedAnalyses::all();
    llvm::IRBuilder<> builder(registration.where);
    const auto enroll = [&](const char *function, llvm::GlobalVariable *variable, uint64_t bytes) {
      builder.CreateCall(
          module.getOrInsertFunction(function, builder.getVoidTy(), builder.getPtrTy(),
                                     builder.getPtrTy(), builder.getPtrTy(), builder.getInt64Ty()),
          {registration.handle, variable, builder.CreateGlobalString(variable->getName()),
           builder.getInt64(bytes)});
    };
    for (llvm::GlobalVariable *variable : variables) {
      const uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable->getValueType());
      if (variable->hasInitializer() && !variable->hasAvailableExternallyLinkage())
        enroll("__heddleRegisterManagedPages", giveOwnPages(*variable), bytes);
      else
        enroll("__heddleRegisterManagedVar", variable, bytes);
    }
    return llvm::PreservedAnalyses::none();
  }
};

} // namespace

std::unique_ptr<clang::ASTConsumer> HostAction::CreateASTConsumer(clang::CompilerInstance &instance,
                                                                  llvm::StringRef file) {
  auto generate =
      inOrder(std::make_unique<UnmarkManaged>(), EmitObjAction::CreateASTConsumer(instance, file));
  if (!instance.getLangOpts().CUDA)
    return generate;
  if (!options_.debug_device) // a debugger finds kernels' lines in the program first
    generate = inOrder(skipDeviceBodies(instance), std::move(generate));
  return strict() ? inOrder(makeRules(instance, options_), std::move(generate))
                  : std::move(generate);
}

void registerManagedVariables(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(RegisterManagedPass());
      });
}

} // namespace heddle::frontend
