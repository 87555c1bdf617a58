// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/lane_axis.h"

#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::engine::simd {

void turnAxes(Function &function, unsigned lane_axis) {
  const char other = "xyz"[lane_axis];
  for (Instruction &instruction : instructions(function)) {
    const StringRef name = calledName(instruction);
    StringRef place = name;
    if (!place.consume_front("llvm.nvvm.read.ptx.sreg.") ||
        !is_contained({"tid.x", "tid.y", "tid.z", "ctaid.x", "ctaid.y", "ctaid.z", "ntid.x",
                       "ntid.y", "ntid.z", "nctaid.x", "nctaid.y", "nctaid.z"},
                      place) ||
        (place.back() != 'x' && place.back() != other))
      continue;
    // What is known of the value's range stays true of it.
    auto &call = cast<CallBase>(instruction);
    const std::string exchanged =
        (name.drop_back() + Twine(place.back() == 'x' ? other : 'x')).str();
    call.setCalledFunction(
        function.getParent()->getOrInsertFunction(exchanged, call.getFunctionType()));
  }
}

} // namespace heddle::engine::simd
