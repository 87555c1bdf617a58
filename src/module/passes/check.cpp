// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/check.h"

#include "module/matrix_operation.h"
#include "module/passes/launches.h"
#include "module/passes/marks.h"
#include "module/passes/refused.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {
std::string sourceLocation(const Instruction &instruction) {
  const DebugLoc &where = instruction.getDebugLoc();
  if (!where)
    return "";
  // The outermost inlined location is the user's, not that of a header's wrapper.
  const DILocation *location = where.get();
  return (location->getFilename() + ":" + Twine(location->getLine()) + ":" +
          Twine(location->getColumn()) + ": ")
      .str();
}

bool isEngineFunction(StringRef name) {
  static const StringSet<> known = {"vprintf",
                                    "__heddle_malloc",
                                    "__heddle_free",
                                    device_call,
                                    fetch_mark,
                                    copy_mark,
                                    "__assertfail",
                                    "__heddle_grid_sync",
                                    "__heddle_barrier_arrive",
                                    "__heddle_barrier_popc",
                                    "__heddle_barrier_and",
                                    "__heddle_barrier_or",
                                    "__heddle_is_cooperative",
                                    "__heddle_is_parameter",
                                    "__heddle_turn_soon",
                                    "__heddle_cluster",
                                    "__heddle_multiprocessors",
                                    "__heddle_multiprocessor_warps",
                                    "__heddle_grid_number",
                                    "__heddle_grid_workspace",
                                    "__heddle_shared_start",
                                    "__heddle_dynamic_smem_size",
                                    "__heddle_total_smem_size"};
  return known.contains(name) || name.starts_with(matrix_function_prefix);
}

std::vector<std::string> findUnsupported(const Module &module) {
  std::vector<std::string> messages;
  StringSet<> reported;
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call)
        continue;
      const Function *callee = call->getCalledFunction();
      if (!callee || !callee->isDeclaration() || callee->isIntrinsic() ||
          isEngineFunction(callee->getName()) || isRefusedCode(callee->getName()) ||
          !reported.insert(callee->getName()).second)
        continue;
      messages.push_back(sourceLocation(instruction) + "error: device function '" +
                         demangle(callee->getName()) +
                         "' is declared but defined nowhere in this file (-rdc=true links device "
                         "code across files)");
    }
  return messages;
}

} // namespace heddle
