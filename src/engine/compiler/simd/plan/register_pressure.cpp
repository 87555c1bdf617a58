// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/plan/register_pressure.h"

#include "engine/compiler/lowering/warp_step.h"
#include "engine/compiler/simd/analysis/access/strided_2d_access.h"
#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/analysis/suspend_points.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// The bytes of vector registers that a gang's values take.
class RegisterBytes {
public:
  RegisterBytes(const ShapedCode &code, const LaneLayout &layout, const ShapedCode *warp,
                const DataLayout &data)
      : code_(code), layout_(layout), warp_(warp), data_(data) {}

  // 0 if the value is scalar, or usually is.
  uint64_t of(const Value &value) {
    if (!isa<Instruction>(value) || value.getType()->isVoidTy() ||
        isUsuallyAffine(value, code_.shapes) || isInPlane(value))
      return 0;
    // A warp or lane number: few values, or constants.
    if (warp_ && warp_->shapes.of(&value).hasRowBases())
      return 0;
    const uint64_t bits = data_.getTypeSizeInBits(value.getType());
    if (bits == 1) // masks have their own registers, or are rare
      return 0;
    const uint64_t bytes = bits / 8;
    if (layout_.isWholeRow())
      return bytes * lanesOf(*cast<Instruction>(&value));
    if (const auto *load = dyn_cast<LoadInst>(&value); load && layout_.hasRows()) {
      const Value *pointer = load->getPointerOperand();
      const Shape where = code_.shapes.of(pointer);
      if (where.hasRowBases() && where.stride == 0 && load->hasOneUse())
        return 0; // a memory operand of its user, row by row
      if (where.hasRowBases() && isCommon(pointer))
        return bytes * layout_.row;
    }
    return bytes * layout_.lanes;
  }

private:
  // In a block that is one row: the lanes that execute the value, if fewer, those that are demanded
  // (demanded_lanes.h). Operands of a shuffle count as part of it.
  unsigned lanesOf(const Instruction &value) {
    if (isPartOfShuffle(value))
      return 0;
    return std::min(lanesAt(*value.getParent()), lanesNeeded(value));
  }

  // Including the halves of 64-bit values (shuffled_halves.h).
  static bool isPartOfShuffle(const Instruction &value) {
    return comesFromShuffle(value) || goesToShuffle(value);
  }
  static bool comesFromShuffle(const Value &value) {
    if (isa<ConstantInt>(value) || isWarpOperation(value))
      return isa<ConstantInt>(value) || value.hasOneUse();
    const auto *instruction = dyn_cast<Instruction>(&value);
    return instruction && value.hasOneUse() &&
           (isa<CastInst>(value) || instruction->getOpcode() == Instruction::Shl ||
            instruction->getOpcode() == Instruction::Or) &&
           all_of(instruction->operands(), [](const Use &use) { return comesFromShuffle(*use); });
  }
  static bool goesToShuffle(const Instruction &value) {
    return !value.use_empty() && (isa<CastInst>(value) || value.getOpcode() == Instruction::LShr) &&
           all_of(value.users(), [](const User *user) {
             return isWarpOperation(*user) || goesToShuffle(*cast<Instruction>(user));
           });
  }

  unsigned lanesNeeded(const Instruction &value) {
    const auto [found, is_new] = needed_.try_emplace(&value, layout_.lanes);
    if (!is_new) // or the value depends on itself, in a loop
      return found->second;
    unsigned lanes = 0;
    for (const User *user : value.users()) {
      const auto &instruction = *cast<Instruction>(user);
      const bool passes_on =
          isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst>(user) ||
          isWarpOperation(*user);
      const unsigned here = std::min(lanesAt(*instruction.getParent()),
                                     passes_on ? lanesNeeded(instruction) : layout_.lanes);
      lanes = goesToShuffle(value) ? std::max(lanes, here) : lanes + here; // halves: the same lanes
    }
    return needed_[&value] = std::min(lanes, layout_.lanes);
  }

  // The lanes that reach the block, which is a single row.
  unsigned lanesAt(const BasicBlock &block) {
    const auto [found, is_new] = lanes_at_.try_emplace(&block, 0);
    if (is_new)
      found->second = lanesThatCome(block, layout_).count;
    return found->second;
  }

  // Whether the value is part of a column's address.
  bool isInPlane(const Value &value) {
    if (!layout_.hasRows())
      return false;
    const auto [found, is_new] = in_plane_.try_emplace(&value, false);
    if (is_new)
      found->second = looksLikePlane(value, code_);
    return found->second;
  }

  // Whether the value is the same in all rows of the gang: it does not depend on the row number.
  bool isCommon(const Value *value) {
    const auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || code_.shapes.of(value).isUniform())
      return true;
    if (const auto found = common_.find(value); found != common_.end())
      return found->second;
    common_[value] = false; // until known; cycles through loops count as not common
    if (const auto *call = dyn_cast<CallBase>(instruction))
      return common_[value] = calledName(*call).ends_with(".sreg.tid.x");
    return common_[value] = !isa<LoadInst>(instruction) &&
                            all_of(instruction->operands(),
                                   [&](const Use &operand) { return isCommon(operand); });
  }

  const ShapedCode &code_;
  const LaneLayout &layout_;
  const ShapedCode *warp_;
  const DataLayout &data_;
  DenseMap<const Value *, bool> common_, in_plane_;
  DenseMap<const BasicBlock *, unsigned> lanes_at_;
  DenseMap<const Instruction *, unsigned> needed_;
};

} // namespace

uint64_t mostLiveBytes(const Function &function, const ShapedCode &code, const LaneLayout &layout,
                       const ShapedCode *warp) {
  RegisterBytes registers(code, layout, warp, function.getParent()->getDataLayout());
  using Live = SmallPtrSet<const Value *, 16>;
  DenseMap<const BasicBlock *, Live> at_start;
  uint64_t most = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock *block : post_order(&function)) {
      Live live;
      for (const BasicBlock *next : successors(block)) {
        for (const Value *value : at_start[next])
          live.insert(value);
        for (const PHINode &phi : next->phis()) {
          live.erase(&phi);
          live.insert(phi.getIncomingValueForBlock(block));
        }
      }
      uint64_t bytes = 0;
      for (const Value *value : live)
        bytes += registers.of(*value);
      most = std::max(most, bytes);
      for (const Instruction &instruction : reverse(*block)) {
        if (live.erase(&instruction))
          bytes -= registers.of(instruction);
        if (!isa<PHINode>(instruction))
          for (const Value *operand : instruction.operands())
            if (isa<Instruction>(operand) && live.insert(operand).second)
              bytes += registers.of(*operand);
        most = std::max(most, bytes);
      }
      for (const PHINode &phi : block->phis())
        live.insert(&phi);
      Live &before = at_start[block];
      changed |= before.size() != live.size();
      before = std::move(live);
    }
  }
  return most;
}

uint64_t keptBytes(const Loop &loop, const ShapedCode &code, const LaneLayout &layout) {
  const DataLayout &data = loop.getHeader()->getModule()->getDataLayout();
  RegisterBytes registers(code, layout, nullptr, data);
  uint64_t result = 0;
  for (const PHINode &phi : loop.getHeader()->phis())
    result += registers.of(phi);
  return result;
}

} // namespace heddle::engine::simd
