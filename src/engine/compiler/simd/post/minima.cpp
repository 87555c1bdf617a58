// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/post/minima.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine {
namespace {

struct Minimum {
  Value *left = nullptr, *right = nullptr; // null: not a minimum
  bool is_maximum = false;
};

// Matches what define_arithmetic.h has made: a == b ? a | b : minnum(a, b), as LLVM leaves it.
Minimum minimumAt(Instruction &instruction) {
  Value *left = nullptr, *right = nullptr, *if_equal = nullptr, *otherwise = nullptr;
  FCmpInst::Predicate predicate = FCmpInst::BAD_FCMP_PREDICATE;
  if (!match(&instruction, m_Select(m_FCmp(predicate, m_Value(left), m_Value(right)),
                                    m_Value(if_equal), m_Value(otherwise))) ||
      predicate != FCmpInst::FCMP_OEQ)
    return {};
  const auto same = [&](const auto &pair) { return match(otherwise, pair); };
  const bool is_maximum =
      same(m_Intrinsic<Intrinsic::maxnum>(m_Specific(left), m_Specific(right))) ||
      same(m_Intrinsic<Intrinsic::maxnum>(m_Specific(right), m_Specific(left)));
  if (!is_maximum && !same(m_Intrinsic<Intrinsic::minnum>(m_Specific(left), m_Specific(right))) &&
      !same(m_Intrinsic<Intrinsic::minnum>(m_Specific(right), m_Specific(left))))
    return {};
  const auto bits_of = [](Value *of) { return m_BitCast(m_Specific(of)); };
  const auto all_bits = [&](const auto &a, const auto &b) {
    return is_maximum ? match(if_equal, m_BitCast(m_c_And(a, b)))
                      : match(if_equal, m_BitCast(m_c_Or(a, b)));
  };
  const APFloat *number = nullptr;
  const bool is_defined =
      match(right, m_APFloat(number))
          ? all_bits(bits_of(left), m_SpecificInt(number->bitcastToAPInt())) ||
                (number->isPosZero() && // x & 0 and x | 0
                 (is_maximum ? match(if_equal, m_PosZeroFP()) : if_equal == left))
          : all_bits(bits_of(left), bits_of(right));
  if (!is_defined)
    return {};
  return {left, right, is_maximum};
}

constexpr unsigned register_bits = 512;
constexpr unsigned most_steps = 6; // search depth

bool fillsRegisters(const Type &type) {
  const auto *vector = dyn_cast<FixedVectorType>(&type);
  return vector && type.getPrimitiveSizeInBits() % register_bits == 0 &&
         (vector->getElementType()->isFloatTy() || vector->getElementType()->isDoubleTy());
}

// Applies `operation` to each register of the operands and concatenates the results.
Value *eachRegister(IRBuilder<> &b, ArrayRef<Value *> operands,
                    function_ref<Value *(ArrayRef<Value *>)> operation) {
  const auto *type = cast<FixedVectorType>(operands[0]->getType());
  const unsigned all = type->getNumElements(), lanes = register_bits / type->getScalarSizeInBits();
  SmallVector<Value *> results;
  for (unsigned first = 0; first < all; first += lanes) {
    SmallVector<Value *> parts;
    for (Value *operand : operands)
      parts.push_back(lanes == all
                          ? operand
                          : b.CreateShuffleVector(operand, createSequentialMask(first, lanes, 0)));
    results.push_back(operation(parts));
  }
  return concatenateVectors(b, results);
}

// Multiplies by one, which quiets signalling NaNs.
Value *quieted(IRBuilder<> &b, Value *value) {
  const bool is_float = value->getType()->getScalarType()->isFloatTy();
  return eachRegister(b, value, [&](ArrayRef<Value *> parts) {
    constexpr int to_nearest = 8; // explicit, or LLVM would remove it
    return b.CreateIntrinsic(
        is_float ? Intrinsic::x86_avx512_mul_ps_512 : Intrinsic::x86_avx512_mul_pd_512, {},
        {parts[0], ConstantFP::get(parts[0]->getType(), 1), b.getInt32(to_nearest)});
  });
}

class RangeInstructions {
public:
  explicit RangeInstructions(Function &function) {
    for (Instruction &instruction : instructions(function))
      if (fillsRegisters(*instruction.getType()))
        if (const Minimum minimum = minimumAt(instruction); minimum.left)
          minima_.insert({&instruction, minimum});
  }

  void run() {
    for (const auto &[old, minimum] : minima_) {
      Value *left = quiet(minimum.left, *old), *right = quiet(minimum.right, *old);
      IRBuilder<> b(old);
      results_.emplace_back(
          eachRegister(b, {left, right}, [&, is_maximum = minimum.is_maximum](auto parts) {
            return range(b, parts[0], parts[1], is_maximum);
          }));
    }
    SmallVector<WeakTrackingVH> replaced;
    for (const auto &[entry, result] : zip(minima_, results_)) {
      entry.first->replaceAllUsesWith(result);
      replaced.emplace_back(entry.first);
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  }

private:
  static Value *range(IRBuilder<> &b, Value *left, Value *right, bool is_maximum) {
    Type *type = left->getType();
    const bool is_float = type->getScalarType()->isFloatTy();
    constexpr int keep_sign = 1 << 2, current_rounding = 4;
    return b.CreateIntrinsic(is_float ? Intrinsic::x86_avx512_mask_range_ps_512
                                      : Intrinsic::x86_avx512_mask_range_pd_512,
                             {},
                             {left, right, b.getInt32(keep_sign | (is_maximum ? 1 : 0)),
                              PoisonValue::get(type), is_float ? b.getInt16(-1) : b.getInt8(-1),
                              b.getInt32(current_rounding)});
  }

  // Whether no element can be a signalling NaN: arithmetic never yields one.
  bool isQuiet(const Value *value, unsigned steps = 0) const {
    if (const auto *constant = dyn_cast<Constant>(value)) {
      const APFloat *number = nullptr;
      return match(constant, m_APFloat(number)) && !number->isSignaling();
    }
    const auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || steps > most_steps)
      return false;
    const auto are_quiet = [&](auto &&operands) {
      return all_of(operands, [&](const Value *operand) { return isQuiet(operand, steps + 1); });
    };
    switch (instruction->getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
    case Instruction::FPExt:
    case Instruction::FPTrunc:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return true;
    case Instruction::FNeg:
    case Instruction::PHI:
    case Instruction::ShuffleVector:
      return are_quiet(instruction->operand_values());
    case Instruction::Select:
      return minima_.contains(const_cast<Instruction *>(instruction)) ||
             are_quiet(drop_begin(instruction->operand_values()));
    case Instruction::Call:
      switch (cast<CallInst>(instruction)->getIntrinsicID()) {
      case Intrinsic::fma:
      case Intrinsic::sqrt:
        return true;
      case Intrinsic::fabs:
        return isQuiet(instruction->getOperand(0), steps + 1);
      default:
        return false;
      }
    default:
      return false;
    }
  }

  // The same value with NaNs quieted. `user` is the instruction that needs it.
  Value *quiet(Value *value, Instruction &user) {
    if (isQuiet(value))
      return value;
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction) {
      IRBuilder<> b(&user);
      return quieted(b, value);
    }
    if (Value *known = quieted_.lookup(value))
      return known;
    // Loop-carried results are quiet, so only the value from before the loop is quieted.
    if (auto *phi = dyn_cast<PHINode>(value);
        phi && any_of(phi->incoming_values(), [&](const Use &in) { return isQuiet(in); })) {
      PHINode *result = IRBuilder<>(phi).CreatePHI(phi->getType(), phi->getNumIncomingValues());
      quieted_[value] = result;
      for (const auto [in, block] : zip(phi->incoming_values(), phi->blocks()))
        result->addIncoming(quiet(in, *block->getTerminator()), block);
      return result;
    }
    IRBuilder<> b(&user);
    if (const auto behind = instruction->getInsertionPointAfterDef())
      b.SetInsertPoint(instruction->getParent(), *behind);
    return quieted_[value] = quieted(b, value);
  }

  MapVector<Instruction *, Minimum> minima_;
  SmallVector<WeakTrackingVH> results_;
  DenseMap<Value *, Value *> quieted_;
};

} // namespace

void simplifyMinima(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    const Minimum minimum = minimumAt(instruction);
    const APFloat *number = nullptr;
    if (!minimum.left || !match(minimum.right, m_APFloat(number)) || number->isNaN() ||
        (number->isZero() && number->isNegative() == minimum.is_maximum))
      continue;
    IRBuilder<> b(&instruction);
    Value *is_left = minimum.is_maximum ? b.CreateFCmpOGT(minimum.left, minimum.right)
                                        : b.CreateFCmpOLT(minimum.left, minimum.right);
    instruction.replaceAllUsesWith(b.CreateSelect(is_left, minimum.left, minimum.right));
    RecursivelyDeleteTriviallyDeadInstructions(&instruction);
  }
}

void useRangeInstructions(Function &function) { RangeInstructions(function).run(); }

} // namespace heddle::engine
