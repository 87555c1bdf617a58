// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/block_shape.h"

#include "engine/compiler/simd/analysis/prefix_predicates.h"
#include "engine/compiler/simd/analysis/warp_uniformity.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// The block's largest extent along this axis; 0 if unknown.
uint32_t extent(StringRef axis, const Variant &variant, unsigned most_threads) {
  if (!variant.tiled)
    return most_threads;
  if (axis == "x")
    return variant.granularity;
  if (!variant.whole) // there may be more rows, and planes
    return most_threads;
  return axis == "y" ? variant.tiled / variant.granularity : 1;
}

// If rows are whole warps, or there is only one row, the lane in the warp follows from threadIdx.x,
// and is also available in gangs of several warps.
void useThreadIndexForLane(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (calledName(instruction) != "llvm.nvvm.read.ptx.sreg.laneid")
      continue;
    IRBuilder<> builder(&instruction);
    Value *x = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
    instruction.replaceAllUsesWith(builder.CreateAnd(x, builder.getInt32(warp_lanes - 1)));
    instruction.eraseFromParent();
  }
}

} // namespace

void useBlockShape(Function &function, const Variant &variant, unsigned most_threads) {
  if (variant.granularity >= warp_lanes)
    useThreadIndexForLane(function);
  for (Instruction &instruction : instructions(function)) {
    StringRef name = calledName(instruction);
    if (!name.consume_front("llvm.nvvm.read.ptx.sreg.tid."))
      continue;
    const uint32_t threads = extent(name, variant, most_threads);
    if (!threads)
      continue;
    auto &call = cast<CallBase>(instruction);
    const unsigned bits = call.getType()->getIntegerBitWidth();
    ConstantRange range(APInt(bits, 0), APInt(bits, threads));
    if (const auto known = call.getRange())
      range = range.intersectWith(*known);
    call.removeRetAttr(Attribute::Range);
    call.setMetadata(LLVMContext::MD_range, nullptr);
    call.addRangeRetAttr(range);
  }
}

void numberRowsByLane(Function &function, const LaneLayout &layout) {
  if (layout.kind != LaneLayout::Kind::Row || layout.lanes == 1)
    return;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (!isThreadIndex(instruction))
      continue;
    const auto range = cast<CallBase>(instruction).getRange();
    if (!layout.isWholeRow() && (!range || range->getUnsignedMax().uge(layout.lanes)))
      continue;
    IRBuilder<> builder(&instruction);
    instruction.replaceAllUsesWith(callMarker(builder, lane_marker));
    instruction.eraseFromParent();
  }
}

} // namespace heddle::engine::simd
