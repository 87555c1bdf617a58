// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/optimize/saturating_sums.h"

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr uint64_t largest = 255; // the saturated value

class Saturation {
public:
  Saturation(Function &function, const LaneLayout &layout)
      : function_(function), code_(function, layout) {}

  void run() {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
      for (Instruction &instruction : *block)
        if (const auto bound = boundOf(instruction))
          sums_[&instruction] = *bound;
    removeUnfit();
    // Sums that fit a byte need no saturation; narrow_integers.h handles them.
    if (any_of(sums_, [](const auto &sum) { return sum.second > largest; }))
      rewrite();
  }

private:
  // The largest possible value; nothing if the value is neither a byte nor a sum of bytes.
  std::optional<uint64_t> boundOf(const Value &value) const {
    if (const auto *number = dyn_cast<ConstantInt>(&value); number)
      return number->getValue().ule(largest) ? std::optional(number->getZExtValue()) : std::nullopt;
    if (const auto *extension = dyn_cast<ZExtInst>(&value))
      return extension->getSrcTy()->isIntegerTy(8) ? std::optional(largest) : std::nullopt;
    const auto found = sums_.find(&value);
    return found == sums_.end() ? std::nullopt : std::optional(found->second);
  }

  // The same for a candidate sum, which must not wrap.
  std::optional<uint64_t> boundOf(const Instruction &sum) const {
    if (sum.getOpcode() != Instruction::Add || !sum.getType()->isIntegerTy() ||
        code_.shapes.of(&sum).hasRowBases())
      return std::nullopt;
    const unsigned bits = sum.getType()->getIntegerBitWidth();
    const auto left = boundOf(*sum.getOperand(0)), right = boundOf(*sum.getOperand(1));
    if (!left || !right || bits <= 8 || bits > 64 ||
        *left + *right >= uint64_t(1) << std::min(bits - 1, 32u))
      return std::nullopt;
    return *left + *right;
  }

  // Whether a user compares the sum with a number below the saturation value.
  static bool comparesWithSmallNumber(const User &user) {
    const auto *compare = dyn_cast<ICmpInst>(&user);
    if (!compare)
      return false;
    const auto *left = dyn_cast<ConstantInt>(compare->getOperand(0));
    const auto *right = dyn_cast<ConstantInt>(compare->getOperand(1));
    const ConstantInt *number = left ? left : right;
    return number && number->getValue().ult(largest);
  }

  void removeUnfit() {
    for (bool changed = true; changed;) {
      changed = false;
      sums_.remove_if([&](const auto &sum) {
        auto *instruction = cast<Instruction>(const_cast<Value *>(sum.first));
        const bool fits =
            all_of(instruction->users(),
                   [&](const User *user) {
                     return sums_.count(user) || comparesWithSmallNumber(*user);
                   }) &&
            all_of(instruction->operands(), [&](const Use &use) { return boundOf(*use.get()); });
        changed |= !fits;
        return !fits;
      });
    }
  }

  Value *byteOf(Value *value, IRBuilder<> &builder) const {
    if (const auto *number = dyn_cast<ConstantInt>(value))
      return builder.getInt8(uint8_t(number->getZExtValue()));
    if (auto *extension = dyn_cast<ZExtInst>(value))
      return extension->getOperand(0);
    return bytes_.lookup(value);
  }

  void rewrite() {
    SmallVector<WeakTrackingVH> old;
    for (const auto &[value, bound] : sums_) { // operands come first
      auto *sum = cast<Instruction>(const_cast<Value *>(value));
      IRBuilder<> builder(sum);
      bytes_[sum] =
          builder.CreateBinaryIntrinsic(Intrinsic::uadd_sat, byteOf(sum->getOperand(0), builder),
                                        byteOf(sum->getOperand(1), builder));
      old.emplace_back(sum);
    }
    for (const auto &[value, bound] : sums_)
      for (User *user : make_early_inc_range(const_cast<Value *>(value)->users()))
        if (auto *compare = dyn_cast<ICmpInst>(user)) {
          IRBuilder<> builder(compare);
          // Both operands are non-negative.
          Value *result = builder.CreateICmp(
              compare->isEquality() ? compare->getPredicate() : compare->getUnsignedPredicate(),
              byteOf(compare->getOperand(0), builder), byteOf(compare->getOperand(1), builder));
          result->takeName(compare);
          compare->replaceAllUsesWith(result);
          compare->eraseFromParent();
        }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(old);
  }

  Function &function_;
  const ShapedCode code_;
  MapVector<const Value *, uint64_t> sums_; // with their largest values
  DenseMap<const Value *, Value *> bytes_;
};

} // namespace

void saturateSums(Function &function, const LaneLayout &layout) {
  if (layout.lanes > 1)
    Saturation(function, layout).run();
}

} // namespace heddle::engine::simd
