// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/texture_references.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

void loadTextureHandles(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (function.getIntrinsicID() != Intrinsic::nvvm_texsurf_handle_internal)
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      // Clang gives it the host structure's alignment, and assumes that only this file writes
      // static ones.
      if (auto *variable = dyn_cast<GlobalVariable>(call->getArgOperand(0)->stripPointerCasts())) {
        variable->setAlignment(Align(8));
        variable->setExternallyInitialized(true);
      }
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(builder.CreateLoad(call->getType(), call->getArgOperand(0)));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

} // namespace heddle
