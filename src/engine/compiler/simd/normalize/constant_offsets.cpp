// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/constant_offsets.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/normalize/index_widening.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <map>
#include <vector>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned deepest = 4; // depth of an index expression

enum class Extension { None, Zero, Sign };

// A 64-bit index as a sum: terms, each of them extended, and a constant.
struct Split {
  SmallVector<std::pair<Value *, Extension>, 2> terms;
  APInt constant = APInt(64, 0);
};

// Whether the extended value is the sum of its extended operands. Inactive lanes may have any
// value, which is fine as terms are not derived from other lanes: each is extended by itself.
bool isSum(const Value &value, Extension how) {
  const auto *operation = dyn_cast<BinaryOperator>(&value);
  const bool add = operation && operation->getOpcode() == Instruction::Add;
  return (add && how == Extension::None) || extendsAsSum(value, how == Extension::Sign);
}

// Sign and zero extension of a non-negative value are the same.
Extension kindOf(const CastInst &extension) {
  const Value &operand = *extension.getOperand(0);
  const bool both = isa<ZExtInst>(extension) && extension.hasNonNeg();
  return isa<SExtInst>(extension) || (both && !isSum(operand, Extension::Zero)) ? Extension::Sign
                                                                                : Extension::Zero;
}

class ConstantOffsets {
public:
  ConstantOffsets(Function &function, const LaneLayout &layout)
      : function_(function), data_(function.getParent()->getDataLayout()), code_(function, layout) {
  }

  void run() {
    for (Instruction &instruction : make_early_inc_range(instructions(function_)))
      if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
        separate(*gep);
    // Erased last, so that no new instruction reuses the address of one that is a key of a map.
    for (GetElementPtrInst *gep : replaced_)
      gep->eraseFromParent();
  }

private:
  void separate(GetElementPtrInst &gep) {
    const Shape shape = code_.shapes.of(&gep);
    const auto offset =
        shape.hasRowBases() && !shape.isUniform() ? offsetOf(gep, data_) : std::nullopt;
    if (!offset)
      return;
    APInt distance(64, 0);
    DenseMap<Value *, Split> splits;
    for (const auto &[index, scale] : offset->variable) {
      if (!index->getType()->isIntegerTy(64))
        continue;
      if (auto parts = split(*index, Extension::None, deepest);
          parts && !parts->constant.isZero()) {
        distance += parts->constant * scale.sextOrTrunc(64);
        splits[index] = std::move(*parts);
      }
    }
    if (splits.empty())
      return;
    IRBuilder<> builder(&gep);
    Value *common = addressWithout(gep, splits, builder);
    Value *result = builder.CreateGEP(builder.getInt8Ty(), common, builder.getInt(distance));
    result->takeName(&gep);
    gep.replaceAllUsesWith(result);
    replaced_.push_back(&gep);
  }

  // Nothing if the extended value is not affine with the value's own stride.
  std::optional<Split> split(Value &value, Extension how, unsigned depth) {
    Split result;
    if (const auto *number = dyn_cast<ConstantInt>(&value)) {
      const APInt &bits = number->getValue();
      result.constant = how == Extension::Zero ? bits.zextOrTrunc(64) : bits.sextOrTrunc(64);
      return result;
    }
    if (const auto *cast = dyn_cast<CastInst>(&value);
        cast && isa<SExtInst, ZExtInst>(cast) && how == Extension::None && depth > 0)
      if (auto parts = split(*cast->getOperand(0), kindOf(*cast), depth - 1))
        return parts;
    if (isSum(value, how) && depth > 0) {
      const auto &sum = cast<BinaryOperator>(value);
      auto left = split(*sum.getOperand(0), how, depth - 1);
      auto right = split(*sum.getOperand(1), how, depth - 1);
      if (left && right) {
        left->terms.append(right->terms);
        left->constant += right->constant;
        return left;
      }
    }
    if (how != Extension::None && !code_.shapes.keepsGrowing(&value, how == Extension::Sign))
      return std::nullopt;
    result.terms.emplace_back(&value, how);
    return result;
  }

  // The address computed from the indices without their constants.
  Value *addressWithout(const GetElementPtrInst &gep, const DenseMap<Value *, Split> &splits,
                        IRBuilder<> &builder) {
    auto *copy = cast<GetElementPtrInst>(gep.clone());
    std::vector<const void *> key = {gep.getParent(), gep.getSourceElementType()};
    for (Use &operand : copy->operands()) {
      if (const auto found = splits.find(operand); found != splits.end())
        operand.set(sumOf(found->second.terms, builder));
      key.push_back(operand);
    }
    copy->dropPoisonGeneratingFlags(); // it may point before the array
    Value *&known = common_[key];
    if (known)
      copy->deleteValue();
    else
      known = builder.Insert(copy);
    return known;
  }

  Value *sumOf(ArrayRef<std::pair<Value *, Extension>> terms, IRBuilder<> &builder) {
    Value *result = nullptr;
    for (const auto &[value, how] : terms) {
      Value *term = extended(*value, how);
      if (result) {
        Value *&known = common_[{builder.GetInsertBlock(), result, term}];
        term = known = known ? known : builder.CreateAdd(result, term);
      }
      result = term;
    }
    return result ? result : builder.getInt64(0);
  }

  // Inserted after the value's definition, so that it dominates all uses.
  Value *extended(Value &value, Extension how) {
    if (how == Extension::None)
      return &value;
    Value *&known = common_[{&value, how == Extension::Zero ? nullptr : this}];
    if (known)
      return known;
    auto place = function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    if (auto *instruction = dyn_cast<Instruction>(&value))
      place = instruction->getInsertionPointAfterDef().value_or(place);
    IRBuilder<> builder(place->getParent(), place);
    Type *wide = builder.getInt64Ty();
    if (how == Extension::Sign)
      return known = builder.CreateSExt(&value, wide);
    return known = builder.CreateZExt(&value, wide, "",
                                      isKnownNonNegative(&value, SimplifyQuery(data_)));
  }

  Function &function_;
  const DataLayout &data_;
  const ShapedCode code_;
  SmallVector<GetElementPtrInst *> replaced_;
  std::map<std::vector<const void *>, Value *> common_; // shared results, by their operands
};

} // namespace

void separateConstantOffsets(Function &function, const LaneLayout &layout) {
  ConstantOffsets(function, layout).run();
}

} // namespace heddle::engine::simd
