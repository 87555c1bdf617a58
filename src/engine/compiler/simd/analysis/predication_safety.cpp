// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/predication_safety.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned most_instructions = 8;

// A contiguous load, which can be masked off completely, and which has no alignment check that
// could fail.
bool loadsNothing(LoadInst &load, const Shapes &shapes, bool masks_bytes) {
  const DataLayout &data = load.getModule()->getDataLayout();
  const auto *type = dyn_cast<IntegerType>(load.getType());
  const uint64_t size = data.getTypeStoreSize(load.getType());
  const Shape where = shapes.of(load.getPointerOperand());
  return load.isSimple() &&
         ((type && type->getBitWidth() == 8 * size && isPowerOf2_64(size)) ||
          load.getType()->isFloatTy() || load.getType()->isDoubleTy()) &&
         size <= 8 && (size >= 4 || masks_bytes) && where.hasRowBases() &&
         where.stride == int64_t(size) &&
         !unprovenAlignment(load.getPointerOperand(), load.getAlign(), data);
}

} // namespace

bool isSafeUnderEmptyMask(BasicBlock &block, const ShapedCode &code, bool masks_bytes) {
  BasicBlock *before = block.getSinglePredecessor(), *next = block.getSingleSuccessor();
  if (!before || !next || block.sizeWithoutDebug() > most_instructions + 1)
    return false;
  // After the block, all lanes that were active before it are active again.
  const Loop *loop = code.loops.getLoopFor(before);
  if (!code.shapes.divergesAt(before) || !code.post_dominators.dominates(next, before) ||
      code.loops.getLoopFor(&block) != loop || code.loops.getLoopFor(next) != loop ||
      (loop && (next == loop->getHeader() || &block == loop->getHeader())))
    return false;
  bool loads = false; // a block without loads is if-converted instead (if_conversion.h)
  return all_of(block,
                [&](Instruction &instruction) {
                  auto *load = dyn_cast<LoadInst>(&instruction);
                  loads |= load != nullptr;
                  return load ? loadsNothing(*load, code.shapes, masks_bytes)
                              : instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
                                    isCheap(instruction);
                }) &&
         loads;
}

bool isCheap(const Instruction &instruction) {
  return !instruction.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&instruction) &&
         !(isa<CallBase>(instruction) && !isa<MinMaxIntrinsic>(instruction)) &&
         !instruction.isIntDivRem() && instruction.getOpcode() != Instruction::FDiv &&
         instruction.getOpcode() != Instruction::FRem && !isa<AllocaInst>(instruction);
}

} // namespace heddle::engine::simd
