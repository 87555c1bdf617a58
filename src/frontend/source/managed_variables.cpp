// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/managed_variables.h"

#include "module/annotations.h"
#include "module/description/layout.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

namespace heddle::frontend {
namespace {

bool isManaged(const clang::VarDecl &variable) {
  for (const auto *note : variable.specific_attrs<clang::AnnotateAttr>())
    if (note->getAnnotation() == managed_attribute)
      return true;
  return false;
}

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

struct RegisterManagedPass : llvm::PassInfoMixin<RegisterManagedPass> {
  static bool isRequired() { return true; }

  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    const auto variables = annotatedVariables(module, managed_attribute);
    const Registration registration = findRegistration(module);
    if (variables.empty() || !registration.where)
      return llvm::PreservedAnalyses::all();
    llvm::IRBuilder<> builder(registration.where);
    llvm::FunctionCallee enroll = module.getOrInsertFunction(
        "__heddleRegisterManagedVar", builder.getVoidTy(), builder.getPtrTy(), builder.getPtrTy(),
        builder.getPtrTy(), builder.getInt64Ty());
    for (llvm::GlobalVariable *variable : variables)
      builder.CreateCall(
          enroll,
          {registration.handle, variable, builder.CreateGlobalString(variable->getName()),
           builder.getInt64(module.getDataLayout().getTypeAllocSize(variable->getValueType()))});
    return llvm::PreservedAnalyses::none();
  }
};

} // namespace

std::unique_ptr<clang::ASTConsumer> HostAction::CreateASTConsumer(clang::CompilerInstance &instance,
                                                                  llvm::StringRef file) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<UnmarkManaged>());
  consumers.push_back(EmitObjAction::CreateASTConsumer(instance, file));
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}

void registerManagedVariables(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(RegisterManagedPass());
      });
}

} // namespace heddle::frontend
