// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/lowering/function_addresses.h"

#include "engine/compiler/lowering/thread_context.h"
#include "support/hash.h"

#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace heddle::engine {
namespace {

bool isDirectCall(const Use &use) {
  const auto *call = dyn_cast<CallBase>(use.getUser());
  return call && call->isCallee(&use);
}

} // namespace

void shareFunctionAddresses(Module &module, const Image &image) {
  std::string prefix; // other images may have a function of the same name
  for (Function &function : module) {
    if (function.isDeclaration() || !takesContext(function) ||
        function.getName().starts_with("heddle.") || all_of(function.uses(), isDirectCall))
      continue;
    if (prefix.empty())
      prefix = "heddle.function." + contentHash(image.bitcode) + ".";
    // Weak, so that the optimiser does not assume the copy in this file.
    GlobalAlias *shared = GlobalAlias::create(function.getValueType(), function.getAddressSpace(),
                                              GlobalValue::WeakAnyLinkage,
                                              prefix + function.getName(), &function, &module);
    function.replaceUsesWithIf(
        shared, [&](const Use &use) { return use.getUser() != shared && !isDirectCall(use); });
  }
}

} // namespace heddle::engine
