// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/choices.h"

#include "engine/compiler/simd/canonicalize.h"
#include "engine/compiler/simd/copy_blocks.h"
#include "engine/compiler/simd/markers.h"
#include "engine/compiler/simd/shapes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr size_t largest_copy = 2000; // instructions
constexpr unsigned most_copies = 3, farthest_address = 12, most_hoisted = 40;

// Whether the value, perhaps after some arithmetic, says where memory is accessed.
bool reachesAddress(const Value &value, unsigned budget) {
  if (budget == 0)
    return false;
  return any_of(value.users(), [&](const User *user) {
    if (isa<GetElementPtrInst>(user))
      return true;
    const bool arithmetic = isa<BinaryOperator, CastInst, SelectInst, MinMaxIntrinsic>(user) &&
                            !user->getType()->isFloatingPointTy();
    return arithmetic && reachesAddress(*user, budget - 1);
  });
}

size_t sizeOf(const Blocks &blocks) {
  size_t result = 0;
  for (const BasicBlock *block : blocks)
    result += block->size();
  return result;
}

// A choice between two values, and which of them is expected.
struct Choice {
  Instruction *instruction = nullptr;
  unsigned operand = 0;
};

class CommonChoices {
public:
  CommonChoices(Function &function, const LaneLayout &layout)
      : function_(function), layout_(layout) {}

  void run() {
    for (unsigned copies = 0; copies < most_copies && copyOne(); ++copies)
      canonicalizeLoops(function_);
  }

private:
  bool copyOne() {
    const ShapedCode code(function_, layout_);
    for (BasicBlock &block : function_) {
      if (code.shapes.isDivergent(&block) || !seen_.insert(&block).second)
        continue;
      const Blocks behind = dominatedBy(block, code.dominators);
      if (sizeOf(behind) > largest_copy)
        continue;
      collect(block, code.shapes);
      if (choices_.empty())
        continue;
      copyBehind(block);
      seen_.insert(behind.begin(), behind.end()); // the originals are for gangs that do not agree
      return true;
    }
    return false;
  }

  void collect(BasicBlock &block, const Shapes &shapes) {
    choices_.clear();
    hoisted_ = 0;
    for (Instruction &instruction : make_early_inc_range(block)) {
      if (!isa<SelectInst, MinMaxIntrinsic>(instruction) || !shapes.of(&instruction).isVarying() ||
          !instruction.getType()->isIntOrPtrTy() || instruction.getType()->isIntegerTy(1))
        continue;
      const std::optional<unsigned> operand = expected(instruction, shapes);
      if (!operand || !reachesAddress(instruction, farthest_address))
        continue;
      Instruction *first = choices_.empty() ? &instruction : choices_.front().instruction;
      const Choice choice{&instruction, *operand};
      if (all_of(questionOperands(choice),
                 [&](Value *value) { return hoist(value, *first, most_hoisted); })) {
        choices_.push_back(choice);
        chosen_[&instruction] = instruction.getOperand(*operand);
      }
    }
  }

  // The operand that grows from lane to lane, or one that does if the choices before come out as
  // they should.
  std::optional<unsigned> expected(const Instruction &instruction, const Shapes &shapes) const {
    const unsigned first = isa<SelectInst>(instruction) ? 1 : 0;
    std::optional<unsigned> result;
    for (const unsigned i : {first, first + 1}) {
      const Value *operand = instruction.getOperand(i);
      const Shape shape = shapes.of(operand);
      if (!shape.hasBase() && !chosen_.count(operand))
        return std::nullopt;
      if (!result && !shape.isUniform())
        result = i;
    }
    return result;
  }

  Value *resolved(Value *value) const {
    while (Value *chosen = chosen_.lookup(value))
      value = chosen;
    return value;
  }

  SmallVector<Value *> questionOperands(const Choice &choice) const {
    if (auto *select = dyn_cast<SelectInst>(choice.instruction))
      return {select->getCondition()};
    return {resolved(choice.instruction->getOperand(0)),
            resolved(choice.instruction->getOperand(1))};
  }

  // Moves what the value is computed from before `place`, where all choices of the block are asked
  // for at once.
  bool hoist(Value *value, Instruction &place, unsigned budget) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || instruction->getParent() != place.getParent() ||
        instruction->comesBefore(&place))
      return true;
    const bool movable = budget > 0 && ++hoisted_ <= most_hoisted && instruction != &place &&
                         !isa<PHINode>(instruction) && !instruction->mayReadOrWriteMemory() &&
                         isSafeToSpeculativelyExecute(instruction);
    if (!movable || !all_of(instruction->operands(),
                            [&](Value *operand) { return hoist(operand, place, budget - 1); }))
      return false;
    instruction->moveBefore(&place);
    return true;
  }

  Value *question(IRBuilder<> &builder, const Choice &choice) const {
    const auto operands = questionOperands(choice);
    if (isa<SelectInst>(choice.instruction))
      return choice.operand == 1 ? operands[0] : builder.CreateNot(operands[0]);
    const auto *extreme = cast<MinMaxIntrinsic>(choice.instruction);
    CmpInst::Predicate predicate = CmpInst::getNonStrictPredicate(extreme->getPredicate());
    return builder.CreateICmp(predicate, operands[choice.operand], operands[1 - choice.operand]);
  }

  void copyBehind(BasicBlock &block) {
    Instruction *first = choices_.front().instruction;
    IRBuilder<> builder(first);
    Value *condition = builder.getTrue();
    for (const Choice &choice : choices_)
      condition = builder.CreateAnd(condition, question(builder, choice));
    // It is asked of all choices at once, also of those that the program would not have come to.
    Value *all = callMarker(builder, all_marker, {builder.CreateFreeze(condition)});
    BasicBlock *tail = SplitBlock(&block, first);
    const DominatorTree dominators(function_);
    const Blocks region = dominatedBy(*tail, dominators);
    ValueToValueMapTy map;
    copyBlocks(function_, region, map);
    for (const Choice &choice : choices_) {
      auto *copy = cast<Instruction>(map[choice.instruction]);
      copy->replaceAllUsesWith(copy->getOperand(choice.operand));
      copy->eraseFromParent();
    }
    builder.SetInsertPoint(block.getTerminator());
    builder.CreateCondBr(all, cast<BasicBlock>(map[tail]), tail);
    block.getTerminator()->eraseFromParent();
    seen_.insert(tail);
  }

  Function &function_;
  const LaneLayout &layout_;
  SmallPtrSet<const BasicBlock *, 16> seen_;
  std::vector<Choice> choices_; // of one block
  DenseMap<const Value *, Value *> chosen_;
  unsigned hoisted_ = 0;
};

} // namespace

void copyForCommonChoices(Function &function, const LaneLayout &layout) {
  CommonChoices(function, layout).run();
}

} // namespace heddle::engine::simd
