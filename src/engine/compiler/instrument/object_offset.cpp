// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/object_offset.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle::engine {

Value *offsetIn(IRBuilder<> &builder, Value *pointer, const Value *base, const DataLayout &data) {
  Value *offset = builder.getInt64(0);
  while (pointer != base) {
    if (auto *gep = dyn_cast<GEPOperator>(pointer)) {
      Value *step = emitGEPOffset(&builder, data, gep, /*NoAssumptions=*/true);
      offset = builder.CreateAdd(offset, builder.CreateSExtOrTrunc(step, builder.getInt64Ty()));
      pointer = gep->getPointerOperand();
    } else if (auto *cast = dyn_cast<AddrSpaceCastOperator>(pointer)) {
      pointer = cast->getPointerOperand();
    } else {
      return nullptr;
    }
  }
  return offset;
}

} // namespace heddle::engine
