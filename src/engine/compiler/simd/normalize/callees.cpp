// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/callees.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/lowering/guards.h"
#include "engine/compiler/lowering/matrix_form.h"
#include "engine/compiler/simd/analysis/suspend_points.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "module/description/describe.h"
#include "module/passes/launches.h"

#include "llvm/IR/InstIterator.h"

#include <string>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Why a function cannot be called lane by lane, or "".
std::string whyNotLaneByLane(const Function &function) {
  for (const Instruction &instruction : instructions(function)) {
    const StringRef name = calledName(instruction);
    if (isWarpOperation(instruction) || isBlockBarrier(instruction) || matrixForm(name) ||
        name == "llvm.nvvm.activemask")
      return "threads may meet in a function that is called through a pointer or recursively";
    if (name == "llvm.nvvm.exit")
      return "a function that is called through a pointer or recursively ends the thread";
  }
  if (hasWaitingLoops(function))
    return "a function that is called through a pointer or recursively may wait for other threads";
  return "";
}

} // namespace

Callees checkCallees(const Function &thread) {
  Callees result;
  const auto reachable = reachableFrom(thread);
  for (const Function *function : reachable.functions) {
    if (function == &thread || function->isDeclaration())
      continue;
    if (const std::string why = whyNotLaneByLane(*function); !why.empty())
      throw Unsupported(why);
    result.stack_bytes += frame_overhead + frameBytes(*function);
    result.recursive |= mayRecurse(*function);
  }
  return result;
}

bool isThreadService(StringRef name) {
  return name == "vprintf" || name == "__heddle_malloc" || name == "__heddle_free" ||
         name == device_call || name == "__assertfail" || name == "llvm.trap" ||
         name == "llvm.debugtrap" || name == "llvm.nvvm.nanosleep" ||
         name == "__heddle_is_parameter" || name.starts_with("llvm.nvvm.isspacep.");
}

} // namespace heddle::engine::simd
