// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/memory/alignment_check.h"
#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace heddle::engine::simd {

// `pointer`: a scalar, or a vector of addresses.
static void refuseMisaligned(VectorBuilder &v, Value *pointer, Value *number, Align align) {
  const bool scalar = pointer->getType()->isPointerTy();
  Value *low = v.b.CreateAnd(number, ConstantInt::get(number->getType(), align.value() - 1));
  Value *bad = v.b.CreateIsNotNull(low);
  Value *bad_lanes = nullptr;
  if (!scalar) {
    bad_lanes = v.mask.bitsOf(v.mask.onlyHere(bad));
    bad = v.b.CreateIsNotNull(bad_lanes);
  }
  LLVMContext &llvm = v.function->getContext();
  BasicBlock *fault = BasicBlock::Create(llvm, "misaligned", v.function);
  BasicBlock *fine = BasicBlock::Create(llvm, "aligned", v.function);
  v.b.CreateCondBr(bad, fault, fine, MDBuilder(llvm).createUnlikelyBranchWeights());
  v.b.SetInsertPoint(fault);
  Value *where = pointer;
  if (!scalar) { // the first lane with a misaligned address
    Value *lane = v.b.CreateBinaryIntrinsic(Intrinsic::cttz, bad_lanes, v.b.getTrue());
    where = v.b.CreateExtractElement(pointer, lane);
  }
  callRuntime(v.b, v.gang, offsetof(RuntimeTable, misaligned), v.b.getVoidTy(),
              {v.b.CreateAddrSpaceCast(where, v.b.getPtrTy())});
  v.b.CreateUnreachable();
  v.b.SetInsertPoint(fine);
}

void checkAlignment(VectorBuilder &v, Value *old_pointer, Align align) {
  Value *root = unprovenAlignment(old_pointer, align, v.data);
  if (!root)
    return;
  const Shape form = v.shape(root);
  if (form.isTiledAffine() && v.mask.allActive() && form.stride % int64_t(align.value()) == 0) {
    for (Value *pointer : v.rowsOf(root))
      refuseMisaligned(v, pointer, v.b.CreatePtrToInt(pointer, v.b.getInt64Ty()), align);
    return;
  }
  const bool scalar = form.hasBase() && form.stride % int64_t(align.value()) == 0;
  Value *pointer = scalar ? v.scalarOf(root) : v.vectorOf(root);
  refuseMisaligned(
      v, pointer, v.b.CreatePtrToInt(pointer, scalar ? v.b.getInt64Ty() : v.wide(v.b.getInt64Ty())),
      align);
}

} // namespace heddle::engine::simd
