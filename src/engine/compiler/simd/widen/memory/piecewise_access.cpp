// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads from piecewise-affine addresses: at the borders of an array.
//
// With `left = x > 0 ? x - 1 : width - 1`, all lanes of most gangs choose x - 1
// (affine_index_speculation.h). In the gang at the border one lane does not. Loading `row[left]`
// lane by lane there would cost as much as many inner gangs. But both sides of the choice are
// known: a masked vector load at x - 1 for the lanes that have chosen it, and a single load at
// width - 1 for the others.
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/normalize/index_widening.h"
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned most_sides = 4, deepest_choice = 12;

std::optional<int64_t> times(int64_t stride, const Value &factor) {
  int64_t result = 0;
  if (stride == 0)
    return 0;
  const auto *number = dyn_cast<ConstantInt>(&factor);
  if (!number || number->getBitWidth() > 64 || MulOverflow(stride, number->getSExtValue(), result))
    return std::nullopt;
  return result;
}

} // namespace

// The conjunction of two masks.
Value *Widener::together(Value *mask, Value *other) {
  if (!mask || !other)
    return mask ? mask : other;
  return b_.CreateAnd(mask, other);
}

// The alternatives of a select, minimum or maximum; nothing if they cannot be determined.
std::optional<Widener::Sides> Widener::sidesOfChoice(Instruction &choice, const OfOperand &side) {
  Value *first = nullptr;
  unsigned operand = 0;
  if (isa<SelectInst>(choice)) {
    operand = 1;
    if (!choice.getOperand(0)->getType()->isIntegerTy(1))
      return std::nullopt;
  }
  auto left = side(*choice.getOperand(operand)), right = side(*choice.getOperand(operand + 1));
  if (!left || !right || left->size() + right->size() > most_sides)
    return std::nullopt;
  if (isa<SelectInst>(choice))
    first = vectorOf(choice.getOperand(0));
  else
    first = b_.CreateICmp(cast<MinMaxIntrinsic>(choice).getPredicate(),
                          vectorOf(choice.getOperand(0)), vectorOf(choice.getOperand(1)));
  for (Side &one : *left)
    one.mask = together(one.mask, first);
  for (Side &one : *right)
    one.mask = together(one.mask, b_.CreateNot(first));
  left->append(*right);
  return left;
}

// A sum or product of alternatives, where all but one operand are the same on both sides.
std::optional<Widener::Sides> Widener::combinedSides(unsigned opcode, const Sides &left,
                                                     const Sides &right) {
  if (left.size() > 1 && right.size() > 1)
    return std::nullopt;
  Sides result;
  for (const Side &a : left)
    for (const Side &b : right) {
      std::optional<int64_t> stride;
      switch (opcode) {
      case Instruction::Add:
        stride = int64_t(uint64_t(a.stride) + uint64_t(b.stride));
        break;
      case Instruction::Sub:
        stride = int64_t(uint64_t(a.stride) - uint64_t(b.stride));
        break;
      case Instruction::Mul:
        stride = b.stride == 0 ? times(a.stride, *b.first) : std::nullopt;
        if (a.stride == 0 && b.stride != 0)
          stride = times(b.stride, *a.first);
        break;
      default:
        break;
      }
      if (!stride)
        return std::nullopt;
      Value *first = b_.CreateBinOp(Instruction::BinaryOps(opcode), a.first, b.first);
      result.push_back({first, *stride, together(a.mask, b.mask)});
    }
  return result;
}

// The alternatives of an integer, extended to 64 bits. The program's nsw or nuw flags hold for the
// lanes that choose a side, so these do not wrap.
std::optional<Widener::Sides> Widener::sidesOf(Value *old, bool is_signed, unsigned depth) {
  Type *i64 = b_.getInt64Ty();
  const Shape form = shape(old);
  const bool whole = old->getType() == i64;
  if (depth == 0 || old->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  if (form.hasBase() && (whole || shapes_.keepsGrowing(old, is_signed))) {
    Value *first = scalarOf(old);
    return Sides{{is_signed ? b_.CreateSExt(first, i64) : b_.CreateZExt(first, i64), form.stride}};
  }
  auto *instruction = dyn_cast<Instruction>(old);
  if (!instruction)
    return std::nullopt;
  const auto side = [&](Value &operand) { return sidesOf(&operand, is_signed, depth - 1); };
  if (isa<SelectInst, MinMaxIntrinsic>(instruction))
    return sidesOfChoice(*instruction, side);
  if (isa<SExtInst, ZExtInst>(instruction) && whole)
    return sidesOf(instruction->getOperand(0),
                   isa<SExtInst>(instruction) || instruction->hasNonNeg(), depth - 1);
  if (auto *sum = dyn_cast<BinaryOperator>(instruction);
      sum && (whole || cannotWrap(*sum, is_signed))) {
    unsigned opcode = sum->getOpcode();
    if (const auto *bits = dyn_cast<PossiblyDisjointInst>(sum); bits && bits->isDisjoint())
      opcode = Instruction::Add;
    const bool shift = opcode == Instruction::Shl;
    auto *places = dyn_cast<ConstantInt>(sum->getOperand(1));
    if (shift && (!places || places->getValue().uge(63)))
      return std::nullopt;
    const auto left = side(*sum->getOperand(0));
    if (left && shift)
      return combinedSides(Instruction::Mul, *left,
                           {{b_.getInt64(uint64_t(1) << places->getZExtValue()), 0}});
    if (const auto right = left ? side(*sum->getOperand(1)) : std::nullopt)
      return combinedSides(opcode, *left, *right);
  }
  return std::nullopt;
}

// The alternatives of a pointer; strides in bytes.
std::optional<Widener::Sides> Widener::sidesOfAddress(Value *old, unsigned depth) {
  if (depth == 0)
    return std::nullopt;
  if (shape(old).hasBase())
    return Sides{{scalarOf(old), shape(old).stride}};
  if (auto *choice = dyn_cast<SelectInst>(old))
    return sidesOfChoice(*choice, [&](Value &side) { return sidesOfAddress(&side, depth - 1); });
  auto *gep = dyn_cast<GetElementPtrInst>(old);
  const auto offset = gep ? offsetOf(*gep, data_) : std::nullopt;
  auto result = offset ? sidesOfAddress(gep->getPointerOperand(), depth - 1) : std::nullopt;
  if (!result)
    return std::nullopt;
  Sides distances = {{b_.getInt64(uint64_t(offset->constant.getSExtValue())), 0}};
  for (const auto &[index, scale] : offset->variable) {
    const auto places = sidesOf(index, true, depth - 1);
    const Sides size = {{b_.getInt64(uint64_t(scale.getSExtValue())), 0}};
    const auto bytes = places ? combinedSides(Instruction::Mul, *places, size) : std::nullopt;
    const auto sum = bytes ? combinedSides(Instruction::Add, distances, *bytes) : std::nullopt;
    if (!sum)
      return std::nullopt;
    distances = *sum;
  }
  if (result->size() > 1 && distances.size() > 1)
    return std::nullopt;
  Sides addresses;
  for (const Side &base : *result)
    for (const Side &distance : distances)
      addresses.push_back({b_.CreateGEP(b_.getInt8Ty(), base.first, distance.first),
                           int64_t(uint64_t(base.stride) + uint64_t(distance.stride)),
                           together(base.mask, distance.mask)});
  return addresses;
}

// One load for all lanes, executed if `any_lane` needs it.
Value *Widener::loadOneElement(LoadInst &old, Value *pointer, Value *any_lane) {
  constexpr unsigned register_bytes = 16;
  Type *type = old.getType();
  const unsigned count = register_bytes / unsigned(sizeOf(type));
  Value *mask = b_.CreateBitCast(b_.CreateZExt(any_lane, b_.getIntNTy(count)),
                                 FixedVectorType::get(b_.getInt1Ty(), count));
  Value *loaded = loadVector(old, FixedVectorType::get(type, count), pointer, mask);
  return b_.CreateShuffleVector(loaded, SmallVector<int>(lanes_, 0));
}

// Null if the address is not a choice between a few places, each uniform or contiguous.
Value *Widener::loadChosen(LoadInst &old) {
  Type *type = old.getType();
  if (!old.isSimple() || !isPlain(type) || !hasMaskedAccess(type) || rowCount() > 1 || lanes_ == 1)
    return nullptr;
  const auto sides = sidesOfAddress(old.getPointerOperand(), deepest_choice);
  if (!sides || any_of(*sides, [&](const Side &side) {
        return side.stride != 0 && side.stride != int64_t(sizeOf(type));
      }))
    return nullptr;
  Value *result = nullptr;
  for (const Side &side : *sides) {
    Value *mask = side.mask ? onlyHere(side.mask) : laneMask();
    Value *part =
        side.stride ? loadVector(old, wide(type), side.first, mask)
                    : loadOneElement(old, side.first, b_.CreateIsNotNull(bitsOf(mask), "any_lane"));
    result = result ? b_.CreateSelect(mask, part, result) : part;
  }
  return result;
}

} // namespace heddle::engine::simd
