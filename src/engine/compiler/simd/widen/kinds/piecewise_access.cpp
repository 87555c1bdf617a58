// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/piecewise_access.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/normalize/index_widening.h"
#include "engine/compiler/simd/widen/kinds/contiguous_access.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

struct Side {             // a choice: lanes of `mask` (null: all) have first + lane * stride
  Value *first = nullptr; // an i64, or a pointer
  int64_t stride = 0;
  Value *mask = nullptr;
};
using Sides = SmallVector<Side, 4>;
using OfOperand = std::function<std::optional<Sides>(Value &)>;

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
static Value *bothMasks(VectorBuilder &v, Value *mask, Value *other) {
  if (!mask || !other)
    return mask ? mask : other;
  return v.b.CreateAnd(mask, other);
}

// The alternatives of a select, minimum or maximum; nothing if they cannot be determined.
static std::optional<Sides> sidesOfChoice(VectorBuilder &v, Instruction &choice,
                                          const OfOperand &side) {
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
    first = v.vectorOf(choice.getOperand(0));
  else
    first = v.b.CreateICmp(cast<MinMaxIntrinsic>(choice).getPredicate(),
                           v.vectorOf(choice.getOperand(0)), v.vectorOf(choice.getOperand(1)));
  for (Side &one : *left)
    one.mask = bothMasks(v, one.mask, first);
  for (Side &one : *right)
    one.mask = bothMasks(v, one.mask, v.b.CreateNot(first));
  left->append(*right);
  return left;
}

// A sum or product of alternatives, where all but one operand are the same on both sides.
static std::optional<Sides> combinedSides(VectorBuilder &v, unsigned opcode, const Sides &left,
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
      Value *first = v.b.CreateBinOp(Instruction::BinaryOps(opcode), a.first, b.first);
      result.push_back({first, *stride, bothMasks(v, a.mask, b.mask)});
    }
  return result;
}

// The alternatives of an integer, extended to 64 bits. The program's nsw or nuw flags hold for the
// lanes that choose a side, so these do not wrap.
static std::optional<Sides> sidesOf(VectorBuilder &v, Value *old, bool is_signed, unsigned depth) {
  Type *i64 = v.b.getInt64Ty();
  const Shape form = v.shape(old);
  const bool whole = old->getType() == i64;
  if (depth == 0 || old->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  if (form.hasBase() && (whole || v.shapes.keepsGrowing(old, is_signed))) {
    Value *first = v.scalarOf(old);
    return Sides{
        {is_signed ? v.b.CreateSExt(first, i64) : v.b.CreateZExt(first, i64), form.stride}};
  }
  auto *instruction = dyn_cast<Instruction>(old);
  if (!instruction)
    return std::nullopt;
  const auto side = [&](Value &operand) { return sidesOf(v, &operand, is_signed, depth - 1); };
  if (isa<SelectInst, MinMaxIntrinsic>(instruction))
    return sidesOfChoice(v, *instruction, side);
  if (isa<SExtInst, ZExtInst>(instruction) && whole)
    return sidesOf(v, instruction->getOperand(0),
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
      return combinedSides(v, Instruction::Mul, *left,
                           {{v.b.getInt64(uint64_t(1) << places->getZExtValue()), 0}});
    if (const auto right = left ? side(*sum->getOperand(1)) : std::nullopt)
      return combinedSides(v, opcode, *left, *right);
  }
  return std::nullopt;
}

// The alternatives of a pointer; strides in bytes.
static std::optional<Sides> sidesOfAddress(VectorBuilder &v, Value *old, unsigned depth) {
  if (depth == 0)
    return std::nullopt;
  if (v.shape(old).hasBase())
    return Sides{{v.scalarOf(old), v.shape(old).stride}};
  if (auto *choice = dyn_cast<SelectInst>(old))
    return sidesOfChoice(v, *choice,
                         [&](Value &side) { return sidesOfAddress(v, &side, depth - 1); });
  auto *gep = dyn_cast<GetElementPtrInst>(old);
  const auto offset = gep ? offsetOf(*gep, v.data) : std::nullopt;
  auto result = offset ? sidesOfAddress(v, gep->getPointerOperand(), depth - 1) : std::nullopt;
  if (!result)
    return std::nullopt;
  Sides distances = {{v.b.getInt64(uint64_t(offset->constant.getSExtValue())), 0}};
  for (const auto &[index, scale] : offset->variable) {
    const auto places = sidesOf(v, index, true, depth - 1);
    const Sides size = {{v.b.getInt64(uint64_t(scale.getSExtValue())), 0}};
    const auto bytes = places ? combinedSides(v, Instruction::Mul, *places, size) : std::nullopt;
    const auto sum = bytes ? combinedSides(v, Instruction::Add, distances, *bytes) : std::nullopt;
    if (!sum)
      return std::nullopt;
    distances = *sum;
  }
  if (result->size() > 1 && distances.size() > 1)
    return std::nullopt;
  Sides addresses;
  for (const Side &base : *result)
    for (const Side &distance : distances)
      addresses.push_back({v.b.CreateGEP(v.b.getInt8Ty(), base.first, distance.first),
                           int64_t(uint64_t(base.stride) + uint64_t(distance.stride)),
                           bothMasks(v, base.mask, distance.mask)});
  return addresses;
}

// One load for all lanes, executed if `any_lane` needs it.
static Value *loadOneElement(VectorBuilder &v, LoadInst &old, Value *pointer, Value *any_lane) {
  constexpr unsigned register_bytes = 16;
  Type *type = old.getType();
  const unsigned count = register_bytes / unsigned(v.sizeOf(type));
  Value *mask = v.b.CreateBitCast(v.b.CreateZExt(any_lane, v.b.getIntNTy(count)),
                                  FixedVectorType::get(v.b.getInt1Ty(), count));
  Value *loaded = loadVector(v, old, FixedVectorType::get(type, count), pointer, mask);
  return v.b.CreateShuffleVector(loaded, SmallVector<int>(v.lanes, 0));
}

Value *loadChosen(VectorBuilder &v, LoadInst &old) {
  Type *type = old.getType();
  if (!old.isSimple() || !v.isPlain(type) || !v.hasMaskedAccess(type) || v.rowCount() > 1 ||
      v.lanes == 1)
    return nullptr;
  const auto sides = sidesOfAddress(v, old.getPointerOperand(), deepest_choice);
  if (!sides || any_of(*sides, [&](const Side &side) {
        return side.stride != 0 && side.stride != int64_t(v.sizeOf(type));
      }))
    return nullptr;
  Value *result = nullptr;
  for (const Side &side : *sides) {
    Value *mask = side.mask ? v.mask.onlyHere(side.mask) : v.mask.laneMask();
    Value *part = side.stride
                      ? loadVector(v, old, v.wide(type), side.first, mask)
                      : loadOneElement(v, old, side.first,
                                       v.b.CreateIsNotNull(v.mask.bitsOf(mask), "any_lane"));
    result = result ? v.b.CreateSelect(mask, part, result) : part;
  }
  return result;
}

} // namespace heddle::engine::simd
