// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/versioning/affine_index_speculation.h"

#include "engine/compiler/simd/analysis/prefix_predicates.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/normalize/index_widening.h"
#include "engine/compiler/simd/versioning/quotient_loop.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

constexpr CodeBudget code_budget{.largest = 2000, .copies = 3};
constexpr unsigned farthest_address = 12, most_hoisted = 40;

// Whether the value, perhaps after some arithmetic, is part of an address.
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

// An instruction to speculate on: a select, of which one operand is expected in all lanes; an
// extension of an index that is expected not to wrap between lanes; or a division of an index whose
// quotient is expected to be uniform.
struct Choice {
  Instruction *instruction = nullptr;
  unsigned operand = 0;
  Value *expected = nullptr; // of an extension: the index, computed in 64 bits; of a division: the
                             // result, if the quotient is that of the first lane
  RowsOfGang rows = {};      // of a division
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
    versionRegions(
        function_, layout_, code_budget, [&](const ShapedCode &code) { return copyOne(code); },
        [&] { widenIndices(function_, layout_); }); // of the selects that are resolved now
  }

private:
  bool copyOne(const ShapedCode &code) {
    for (BasicBlock &block : function_) {
      if (code.shapes.isDivergent(&block) || !seen_.insert(&block).second)
        continue;
      const Blocks behind = dominatedBy(block, code.dominators);
      if (!code_budget.allows(behind))
        continue;
      collect(block, code);
      if (choices_.empty())
        continue;
      copyBehind(block, code.shapes);
      seen_.insert(behind.begin(), behind.end()); // the originals are for incoherent gangs
      return true;
    }
    return false;
  }

  void collect(BasicBlock &block, const ShapedCode &code) {
    const Shapes &shapes = code.shapes;
    std::optional<Hoister> hoister; // to the first choice, where all are tested at once
    choices_.clear();
    chosen_.clear(); // copying has freed instructions, whose addresses may be reused
    divided_.clear();
    for (Instruction &instruction : make_early_inc_range(block)) {
      std::optional<Choice> choice;
      if (shapes.of(&instruction).hasRowBases())
        continue; // its shape is known without speculation
      if (isa<SelectInst, MinMaxIntrinsic>(instruction))
        choice = between(instruction, shapes);
      else if (isa<SExtInst, ZExtInst>(instruction))
        choice = extension(cast<CastInst>(instruction), shapes);
      else if (isDivision(instruction))
        choice = division(instruction, shapes);
      if (!choice || !reachesAddress(instruction, farthest_address))
        continue;
      if (!hoister)
        hoister.emplace(instruction, code.dominators, most_hoisted);
      if (all_of(questionOperands(*choice),
                 [&](Value *value) { return hoister->canHoist(value, most_hoisted); })) {
        choices_.push_back(*choice);
        if (isDivision(instruction))
          divided_.insert(&instruction);
        else if (!isa<CastInst>(instruction))
          chosen_[&instruction] = instruction.getOperand(choice->operand);
      }
    }
    if (hoister)
      hoister->hoist();
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

  // `i / width` and `i % width`, where i is affine.
  static std::optional<Choice> division(Instruction &division, const Shapes &shapes) {
    constexpr int64_t most_apart = 8;
    const Shape form = shapes.of(division.getOperand(0));
    if (!form.hasRowBases() || form.stride <= 0 || form.stride > most_apart ||
        !shapes.of(division.getOperand(1)).isUniform() ||
        division.getType()->getIntegerBitWidth() > 64)
      return std::nullopt;
    return Choice{.instruction = &division};
  }

  // Whether the value is computed from divisions that are speculated on.
  bool followsFromDivisions(const Value &value, const Shapes &shapes, unsigned budget) const {
    if (divided_.count(&value) || chosen_.count(&value))
      return true;
    const auto *instruction = dyn_cast<Instruction>(&value);
    return instruction && budget > 0 && isa<BinaryOperator, CastInst>(instruction) &&
           !isDivision(*instruction) && all_of(instruction->operands(), [&](const Use &operand) {
             return shapes.of(operand).hasRowBases() ||
                    followsFromDivisions(*operand, shapes, budget - 1);
           });
  }

  // The operand that is affine, or is so if earlier choices have their expected results. (GPUs
  // divide by 0, too, so a select follows each division.)
  std::optional<unsigned> expected(const Instruction &instruction, const Shapes &shapes) const {
    const unsigned first = isa<SelectInst>(instruction) ? 1 : 0;
    const bool after_division = first == 1 && shapes.of(instruction.getOperand(0)).isUniform();
    std::optional<unsigned> result;
    for (const unsigned i : {first, first + 1}) {
      const Value *operand = instruction.getOperand(i);
      const Shape shape = shapes.of(operand);
      const bool known =
          shape.hasRowBases() || chosen_.count(operand) ||
          (after_division && followsFromDivisions(*operand, shapes, farthest_address));
      if (!known)
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

  // The lane number within the gang or row.
  Value *lane(IRBuilder<> &builder) const {
    if (layout_.hasRows()) // rows are as long as the block is wide
      return builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
    return callMarker(builder, lane_marker);
  }

  // The difference between a lane's value and that of the first lane of the gang or row.
  Value *distanceFromFirst(IRBuilder<> &builder, const Shape &shape, Type *type) const {
    return builder.CreateMul(builder.CreateZExtOrTrunc(lane(builder), type),
                             ConstantInt::get(type, uint64_t(shape.stride)));
  }

  // The same sum in 64 bits. Its low 32 bits are the value's, so if it fits 32 bits, it is the
  // value's extension.
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

  static bool isSigned(const Choice &division) {
    const unsigned opcode = division.instruction->getOpcode();
    return opcode == Instruction::SDiv || opcode == Instruction::SRem;
  }

  // LLVM computes `x % d` as `x - x / d * d` beside `x / d`. With the expected quotient these do
  // not wrap; with one that only some lanes have, the other lanes' remainders are negative or too
  // large.
  static void promiseRemainders(const Choice &division, bool for_some, const RegionCopy &copies) {
    const Value *value = division.instruction->getOperand(0);
    const Value *divisor = division.instruction->getOperand(1);
    const auto promise = [&](User *original) {
      auto *copy = copies.of(cast<Instruction>(original));
      if (copy == original) // it was hoisted, so both copies use it
        return;
      copy->setHasNoUnsignedWrap(!for_some);
      copy->setHasNoSignedWrap(isSigned(division));
    };
    for (User *product : division.instruction->users())
      if (match(product, m_c_Mul(m_Specific(division.instruction), m_Specific(divisor))))
        for (User *remainder : product->users())
          if (match(remainder, m_Sub(m_Specific(value), m_Specific(product)))) {
            promise(product);
            promise(remainder);
          }
  }

  // Whether the last lane has the same quotient as the first. `condition` also gets the test that
  // lanes are non-negative and do not wrap.
  Value *hasOneQuotient(IRBuilder<> &builder, Choice &choice, const Shapes &shapes,
                        Value *&condition) const {
    Value *value = choice.instruction->getOperand(0), *divisor = choice.instruction->getOperand(1);
    const unsigned opcode = choice.instruction->getOpcode();
    Type *type = value->getType();
    const Shape form = shapes.of(value);
    Value *first = builder.CreateSub(value, distanceFromFirst(builder, form, type));
    Value *quotient = builder.CreateUDiv(first, divisor);
    Value *before = builder.CreateMul(quotient, divisor);
    const bool wants_quotient = opcode == Instruction::UDiv || opcode == Instruction::SDiv;
    const bool is_signed = isSigned(choice);
    choice.expected = wants_quotient
                          ? quotient
                          : builder.CreateSub(value, before, "", /*HasNUW=*/true, is_signed);
    // The last lane does not wrap and is below the next multiple.
    const unsigned bits = type->getIntegerBitWidth();
    const APInt most = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    const uint64_t length = layout_.hasRows() ? layout_.row : layout_.lanes;
    const APInt growth(bits, uint64_t(form.stride) * (length - 1));
    Value *left = builder.CreateSub(divisor, builder.CreateSub(first, before));
    Value *sensible = builder.CreateICmpULE(first, ConstantInt::get(type, most - growth));
    if (is_signed) {
      Value *positive = builder.CreateICmpSGT(divisor, Constant::getNullValue(type));
      sensible = builder.CreateAnd(sensible, positive);
      choice.rows = {value, divisor, quotient,
                     builder.CreateAdd(first, ConstantInt::get(type, growth))};
    }
    condition = condition ? builder.CreateAnd(condition, sensible) : sensible;
    return builder.CreateICmpUGT(left, ConstantInt::get(type, growth));
  }

  Value *fits(IRBuilder<> &builder, Choice &choice, const Shapes &shapes) const {
    choice.expected = inWideType(builder, choice.instruction->getOperand(0), shapes);
    const int64_t low = isa<SExtInst>(choice.instruction) ? INT32_MIN : 0;
    return callMarker(builder, in_range_marker, {choice.expected, builder.getInt64(uint64_t(low))});
  }

  static bool haveSameRows(const Choice &left, const Choice &right) {
    const Instruction &one = *left.instruction, &other = *right.instruction;
    return isDivision(one) && isDivision(other) && isSigned(left) && isSigned(right) &&
           one.getOperand(0) == other.getOperand(0) && one.getOperand(1) == other.getOperand(1);
  }

  // The division over whose quotients a gang iterates if it spans several rows: that with the
  // shortest rows, as far as known.
  const Choice *divisionIntoRows(const Blocks &region) const {
    const Choice *result = nullptr;
    for (const Choice &choice : choices_)
      if (isDivision(*choice.instruction) && isSigned(choice) &&
          (!result || match(result->instruction->getOperand(1), m_Mul(m_Value(), m_Value()))))
        result = &choice;
    return result && !layout_.hasRows() && canLoopOverQuotients(region) ? result : nullptr;
  }

  // Resolves all choices in a copy to the expected results; in a copy inside a quotient loop, those
  // of `rows` to the loop's values.
  void decide(RegionCopy &copy, const Choice *rows = nullptr, const RowLoop &loop = {}) const {
    for (const Choice &choice : choices_) {
      const bool in_loop = rows && haveSameRows(choice, *rows);
      Value *expected = choice.expected;
      if (in_loop)
        expected = choice.instruction->getOpcode() == Instruction::SDiv ? loop.row : loop.place;
      if (isDivision(*choice.instruction))
        promiseRemainders(choice, in_loop, copy);
      if (!expected)
        expected = copy.of(choice.instruction->getOperand(choice.operand));
      copy.assume(*choice.instruction, expected);
    }
  }

  // Branches to `one`, or to a loop over the gang's rows.
  BasicBlock *oneRowOrSeveral(Value *has_one, BasicBlock &one, const Choice &rows,
                              const Blocks &region) {
    RegionCopy copy(region);
    const RowLoop loop = loopOverQuotients(region, copy, rows.rows);
    decide(copy, &rows, loop);
    BasicBlock *either = BasicBlock::Create(function_.getContext(), "either", &function_);
    IRBuilder<> builder(either);
    builder.CreateCondBr(builder.CreateFreeze(has_one), &one, loop.start);
    return either;
  }

  void copyBehind(BasicBlock &block, const Shapes &shapes) {
    BasicBlock *tail = SplitBlock(&block, choices_.front().instruction);
    const DominatorTree dominators(function_);
    const Blocks region = dominatedBy(*tail, dominators);
    const Choice *rows = divisionIntoRows(region);
    IRBuilder<> builder(block.getTerminator());
    Value *condition = nullptr, *all = nullptr, *one_row = nullptr;
    const auto also = [&](Value *&result, Value *asked) {
      result = result ? builder.CreateAnd(result, asked) : asked;
    };
    for (Choice &choice : choices_)
      if (isa<CastInst>(choice.instruction))
        also(all, fits(builder, choice, shapes));
      else if (!isDivision(*choice.instruction))
        also(condition, question(builder, choice));
      else
        also(rows && haveSameRows(choice, *rows) ? one_row : condition,
             hasOneQuotient(builder, choice, shapes, condition));
    // All choices are tested at once, including those that the program would not have reached.
    if (condition)
      also(all, callMarker(builder, all_marker, {builder.CreateFreeze(condition)}));
    RegionCopy copy(region);
    decide(copy);
    copy.enterIf(all, block);
    if (one_row)
      block.getTerminator()->setSuccessor(0,
                                          oneRowOrSeveral(one_row, *copy.entry(), *rows, region));
    seen_.insert(tail);
  }

  Function &function_;
  const LaneLayout &layout_;
  SmallPtrSet<const BasicBlock *, 16> seen_;
  std::vector<Choice> choices_;             // of one block
  SmallPtrSet<const Value *, 8> divided_;   // the divisions among them
  DenseMap<const Value *, Value *> chosen_; // expected results of the choices
};

} // namespace

void speculateAffineIndices(Function &function, const LaneLayout &layout) {
  CommonChoices(function, layout).run();
}

} // namespace heddle::engine::simd
