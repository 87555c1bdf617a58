// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/atomic_intrinsics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <optional>

using namespace llvm;

namespace heddle {
namespace {

std::optional<AtomicRMWInst::BinOp> operationOf(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_atomic_load_inc_32:
    return AtomicRMWInst::UIncWrap;
  case Intrinsic::nvvm_atomic_load_dec_32:
    return AtomicRMWInst::UDecWrap;
  default:
    return std::nullopt;
  }
}

} // namespace

void lowerAtomicIntrinsics(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      const auto operation = call ? operationOf(*call) : std::nullopt;
      if (!operation)
        continue;
      IRBuilder<> builder(call);
      Value *old =
          builder.CreateAtomicRMW(*operation, call->getArgOperand(0), call->getArgOperand(1),
                                  Align(4), AtomicOrdering::Monotonic);
      old->takeName(call);
      call->replaceAllUsesWith(old);
      call->eraseFromParent();
    }
}

} // namespace heddle
