// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/choices.h"

#include "engine/compiler/simd/canonicalize.h"
#include "engine/compiler/simd/copy_blocks.h"
#include "engine/compiler/simd/indices.h"
#include "engine/compiler/simd/leading.h"
#include "engine/compiler/simd/markers.h"
#include "engine/compiler/simd/shapes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
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

// A choice between two values, and which of them is expected; an extension of an index, which is
// expected not to wrap from lane to lane; or a division of an index, whose quotient is expected to
// be the same in all lanes.
struct Choice {
  Instruction *instruction = nullptr;
  unsigned operand = 0;
  Value *expected = nullptr; // of an extension: the index, computed in 64 bits; of a division: the
                             // result, if the quotient is that of the first lane
};

bool isDivision(const Instruction &instruction) {
  const auto *operation = dyn_cast<BinaryOperator>(&instruction);
  return operation && operation->isIntDivRem();
}

class CommonChoices {
public:
  CommonChoices(Function &function, const LaneLayout &layout)
      : function_(function), layout_(layout) {}

  void run() {
    for (unsigned copies = 0; copies < most_copies && copyOne(); ++copies) {
      canonicalizeLoops(function_);
      widenIndices(function_, layout_); // of the choices that are decided now
    }
  }

private:
  bool copyOne() {
    const ShapedCode code(function_, layout_);
    for (BasicBlock &block : function_) {
      if (code.shapes.isDivergent(&block) || !seen_.insert(&block).second)
        continue;
      const Blocks behind = dominatedBy(block, code.dominators);
      if (countInstructions(behind) > largest_copy)
        continue;
      collect(block, code.shapes);
      if (choices_.empty())
        continue;
      copyBehind(block, code.shapes);
      seen_.insert(behind.begin(), behind.end()); // the originals are for gangs that do not agree
      return true;
    }
    return false;
  }

  void collect(BasicBlock &block, const Shapes &shapes) {
    choices_.clear();
    chosen_.clear(); // copying has removed instructions, and others may lie in their places
    hoisted_ = 0;
    for (Instruction &instruction : make_early_inc_range(block)) {
      std::optional<Choice> choice;
      if (shapes.of(&instruction).hasRowBases())
        continue; // known as it is
      if (isa<SelectInst, MinMaxIntrinsic>(instruction))
        choice = between(instruction, shapes);
      else if (isa<SExtInst, ZExtInst>(instruction))
        choice = extension(cast<CastInst>(instruction), shapes);
      else if (isDivision(instruction))
        choice = division(instruction, shapes);
      if (!choice || !reachesAddress(instruction, farthest_address))
        continue;
      Instruction *first = choices_.empty() ? &instruction : choices_.front().instruction;
      if (all_of(questionOperands(*choice),
                 [&](Value *value) { return hoist(value, *first, most_hoisted); })) {
        choices_.push_back(*choice);
        if (!isa<CastInst>(instruction) && !isDivision(instruction))
          chosen_[&instruction] = instruction.getOperand(choice->operand);
      }
    }
  }

  std::optional<Choice> between(Instruction &instruction, const Shapes &shapes) const {
    if (!instruction.getType()->isIntOrPtrTy() || instruction.getType()->isIntegerTy(1))
      return std::nullopt;
    const std::optional<unsigned> operand = expected(instruction, shapes);
    return operand ? std::optional(Choice{&instruction, *operand}) : std::nullopt;
  }

  std::optional<Choice> extension(CastInst &cast, const Shapes &shapes) const {
    const Shape narrow = shapes.of(cast.getOperand(0));
    if (!narrow.hasRowBases() || !cast.getSrcTy()->isIntegerTy(32) ||
        !cast.getType()->isIntegerTy(64) || std::abs(narrow.stride) > 1024)
      return std::nullopt;
    return Choice{.instruction = &cast};
  }

  // `i / width` and `i % width`, where lanes are neighbours.
  static std::optional<Choice> division(Instruction &division, const Shapes &shapes) {
    constexpr int64_t most_apart = 8;
    const Shape form = shapes.of(division.getOperand(0));
    if (!form.hasRowBases() || form.stride <= 0 || form.stride > most_apart ||
        !shapes.of(division.getOperand(1)).isUniform() ||
        division.getType()->getIntegerBitWidth() > 64)
      return std::nullopt;
    return Choice{.instruction = &division};
  }

  // The operand that grows from lane to lane, or one that does if the choices before come out as
  // they should.
  std::optional<unsigned> expected(const Instruction &instruction, const Shapes &shapes) const {
    const unsigned first = isa<SelectInst>(instruction) ? 1 : 0;
    std::optional<unsigned> result;
    for (const unsigned i : {first, first + 1}) {
      const Value *operand = instruction.getOperand(i);
      const Shape shape = shapes.of(operand);
      if (!shape.hasRowBases() && !chosen_.count(operand))
        return std::nullopt;
      if (!result && (!shape.hasRowBases() || shape.stride != 0))
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
    if (isa<CastInst>(choice.instruction))
      return {choice.instruction->getOperand(0)};
    if (isDivision(*choice.instruction))
      return {choice.instruction->getOperand(0), choice.instruction->getOperand(1)};
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

  // This lane's place among its neighbours.
  Value *lane(IRBuilder<> &builder) const {
    if (layout_.hasRows()) // rows are as long as the block is wide
      return builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
    return callMarker(builder, lane_marker);
  }

  // How much a value has grown on the way from the first lane of the gang, or of the row.
  Value *distanceFromFirst(IRBuilder<> &builder, const Shape &shape, Type *type) const {
    return builder.CreateMul(builder.CreateZExtOrTrunc(lane(builder), type),
                             ConstantInt::get(type, uint64_t(shape.stride)));
  }

  // The same sum in 64 bits. Its low 32 bits are those of the value, so if it fits 32 bits, it is
  // the value's extension.
  Value *inWideType(IRBuilder<> &builder, Value *value, const Shapes &shapes) const {
    Type *wide = builder.getInt64Ty();
    const Shape shape = shapes.of(value);
    auto *operation = dyn_cast<BinaryOperator>(value);
    const auto operand = [&](unsigned i) {
      return inWideType(builder, operation->getOperand(i), shapes);
    };
    if (operation && !shape.isUniform())
      switch (operation->getOpcode()) {
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Mul:
        return builder.CreateBinOp(operation->getOpcode(), operand(0), operand(1));
      case Instruction::Or:
        if (cast<PossiblyDisjointInst>(operation)->isDisjoint())
          return builder.CreateAdd(operand(0), operand(1));
        break;
      case Instruction::Shl:
        if (isa<ConstantInt>(operation->getOperand(1)))
          return builder.CreateShl(operand(0), operand(1));
        break;
      default:
        break;
      }
    if (shape.stride == 0 || isThreadIndex(*value))
      return builder.CreateSExt(value, wide);
    // Only the first lane's part may wrap unnoticed.
    Value *distance = distanceFromFirst(builder, shape, wide);
    Value *first = builder.CreateSub(value, builder.CreateTrunc(distance, value->getType()));
    return builder.CreateAdd(builder.CreateSExt(first, wide), distance);
  }

  Value *question(IRBuilder<> &builder, Choice &choice) const {
    const auto operands = questionOperands(choice);
    if (isa<SelectInst>(choice.instruction))
      return choice.operand == 1 ? operands[0] : builder.CreateNot(operands[0]);
    const auto *extreme = cast<MinMaxIntrinsic>(choice.instruction);
    CmpInst::Predicate predicate = CmpInst::getNonStrictPredicate(extreme->getPredicate());
    return builder.CreateICmp(predicate, operands[choice.operand], operands[1 - choice.operand]);
  }

  // Whether the last lane has the same quotient as the first one, which is not negative.
  Value *hasOneQuotient(IRBuilder<> &builder, Choice &choice, const Shapes &shapes) const {
    Value *value = choice.instruction->getOperand(0), *divisor = choice.instruction->getOperand(1);
    const unsigned opcode = choice.instruction->getOpcode();
    Type *type = value->getType();
    const Shape form = shapes.of(value);
    Value *first = builder.CreateSub(value, distanceFromFirst(builder, form, type));
    Value *quotient = builder.CreateUDiv(first, divisor);
    Value *before = builder.CreateMul(quotient, divisor);
    const bool wants_quotient = opcode == Instruction::UDiv || opcode == Instruction::SDiv;
    choice.expected = wants_quotient ? quotient : builder.CreateNUWSub(value, before);
    // The last one does not wrap, nor is it behind the next multiple.
    const unsigned bits = type->getIntegerBitWidth();
    const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
    const APInt most = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    const uint64_t length = layout_.hasRows() ? layout_.row : layout_.lanes;
    const APInt growth(bits, uint64_t(form.stride) * (length - 1));
    Value *left = builder.CreateSub(divisor, builder.CreateSub(first, before));
    Value *same =
        builder.CreateAnd(builder.CreateICmpULE(first, ConstantInt::get(type, most - growth)),
                          builder.CreateICmpUGT(left, ConstantInt::get(type, growth)));
    return is_signed ? builder.CreateAnd(
                           same, builder.CreateICmpSGT(divisor, Constant::getNullValue(type)))
                     : same;
  }

  Value *fits(IRBuilder<> &builder, Choice &choice, const Shapes &shapes) const {
    choice.expected = inWideType(builder, choice.instruction->getOperand(0), shapes);
    const int64_t low = isa<SExtInst>(choice.instruction) ? INT32_MIN : 0;
    return callMarker(builder, in_range_marker, {choice.expected, builder.getInt64(uint64_t(low))});
  }

  void copyBehind(BasicBlock &block, const Shapes &shapes) {
    Instruction *first = choices_.front().instruction;
    IRBuilder<> builder(first);
    Value *condition = nullptr, *all = nullptr;
    const auto also = [&](Value *&result, Value *asked) {
      result = result ? builder.CreateAnd(result, asked) : asked;
    };
    for (Choice &choice : choices_)
      if (isa<CastInst>(choice.instruction))
        also(all, fits(builder, choice, shapes));
      else if (isDivision(*choice.instruction))
        also(condition, hasOneQuotient(builder, choice, shapes));
      else
        also(condition, question(builder, choice));
    // It is asked of all choices at once, also of those that the program would not have come to.
    if (condition)
      also(all, callMarker(builder, all_marker, {builder.CreateFreeze(condition)}));
    BasicBlock *tail = SplitBlock(&block, first);
    const DominatorTree dominators(function_);
    const Blocks region = dominatedBy(*tail, dominators);
    ValueToValueMapTy map;
    copyBlocks(function_, region, map);
    for (const Choice &choice : choices_) {
      auto *copy = cast<Instruction>(map[choice.instruction]);
      copy->replaceAllUsesWith(choice.expected ? choice.expected
                                               : copy->getOperand(choice.operand));
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
  std::vector<Choice> choices_;             // of one block
  DenseMap<const Value *, Value *> chosen_; // by them
  unsigned hoisted_ = 0;
};

} // namespace

void copyForCommonChoices(Function &function, const LaneLayout &layout) {
  CommonChoices(function, layout).run();
}

} // namespace heddle::engine::simd
