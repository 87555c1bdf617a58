// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/special_registers.h"

#include "module/describe.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {

StringRef registerOf(const Value &value) {
  const auto *call = dyn_cast<CallInst>(&value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  StringRef name = callee ? callee->getName() : "";
  return name.consume_front("llvm.nvvm.read.ptx.sreg.") ? name : "";
}

bool tiesThreads(const Instruction &instruction) {
  if (instruction.isVolatile() || instruction.isAtomic() || isa<FenceInst>(instruction))
    return true;
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  if (const StringRef name = registerOf(*call); !name.empty())
    return !name.starts_with("tid.") && !name.starts_with("ntid.") && !name.starts_with("ctaid.") &&
           !name.starts_with("nctaid.");
  return call->isConvergent() || !isa<IntrinsicInst>(call) ||
         (call->mayHaveSideEffects() && !isPlainIntrinsic(*call));
}

} // namespace heddle
