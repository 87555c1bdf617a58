// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/linking/relocatable_host.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/CtorUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace heddle::frontend {
namespace {

constexpr llvm::StringLiteral prefix = "__cudaRegisterLinkedBinary";

// What Clang makes: a constructor of the object that calls <prefix><hash>(register, …). The hash is
// of the file's name as it was given, and other folders have such files.
struct EmbedPass : llvm::PassInfoMixin<EmbedPass> {
  std::string id, device_object;

  EmbedPass(std::string id, std::string device_object)
      : id(std::move(id)), device_object(std::move(device_object)) {}
  static bool isRequired() { return true; }

  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    llvm::embedBufferInModule(module, llvm::MemoryBufferRef(device_object, "device code"),
                              device_code_section, llvm::Align(8));
    for (llvm::GlobalAlias &alias : llvm::make_early_inc_range(module.aliases()))
      if (alias.getName().starts_with("__fatbinwrap") && alias.use_empty())
        alias.eraseFromParent(); // for nvcc's device link
    for (llvm::Function &function : llvm::make_early_inc_range(module))
      if (function.getName().starts_with(prefix) && function.hasOneUse())
        nameRegistration(module, function);
    return llvm::PreservedAnalyses::none();
  }

  void nameRegistration(llvm::Module &module, llvm::Function &function) {
    auto *call = llvm::cast<llvm::CallInst>(*function.user_begin());
    auto *callback = llvm::cast<llvm::Function>(call->getArgOperand(0));
    function.setName(registerFunction(id));
    if (callback->getInstructionCount() > 1)
      return;
    // The host names nothing of this object.
    llvm::Function *constructor = call->getFunction();
    llvm::optimizeGlobalCtorsList(
        module, [&](uint32_t, llvm::Function *candidate) { return candidate == constructor; });
    constructor->eraseFromParent();
    function.eraseFromParent();
  }
};

} // namespace

std::string registerFunction(const std::string &id) { return prefix.str() + "_" + id; }

void embedDeviceObject(llvm::PassBuilder &builder, const std::string &id,
                       const std::string &device_object) {
  builder.registerPipelineStartEPCallback(
      [=](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(EmbedPass(id, device_object));
      });
}

} // namespace heddle::frontend
