// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/piecewise_access.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/access/address_sides.h"
#include "engine/compiler/simd/widen/kinds/contiguous_access.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

struct Choice {           // lanes of `mask` (null: all) are on a side
  Value *first = nullptr; // an i64, or a pointer
  Value *mask = nullptr;
};
using Choices = SmallVector<Choice, 4>; // in the order of the address's sides (address_sides.h)
using OfOperand = std::function<Choices(Value &)>;

} // namespace

// The conjunction of two masks.
static Value *bothMasks(VectorBuilder &v, Value *mask, Value *other) {
  if (!mask || !other)
    return mask ? mask : other;
  return v.b.CreateAnd(mask, other);
}

// The alternatives of a select, minimum or maximum.
static Choices choicesOf(VectorBuilder &v, Instruction &choice, const OfOperand &side) {
  const unsigned operand = isa<SelectInst>(choice);
  Choices left = side(*choice.getOperand(operand)), right = side(*choice.getOperand(operand + 1));
  Value *first =
      isa<SelectInst>(choice)
          ? v.vectorOf(choice.getOperand(0))
          : v.b.CreateICmp(cast<MinMaxIntrinsic>(choice).getPredicate(),
                           v.vectorOf(choice.getOperand(0)), v.vectorOf(choice.getOperand(1)));
  for (Choice &one : left)
    one.mask = bothMasks(v, one.mask, first);
  for (Choice &one : right)
    one.mask = bothMasks(v, one.mask, v.b.CreateNot(first));
  left.append(right);
  return left;
}

// A sum or product of alternatives, where all but one operand are the same on both sides.
static Choices combined(VectorBuilder &v, unsigned opcode, const Choices &left,
                        const Choices &right) {
  Choices result;
  for (const Choice &a : left)
    for (const Choice &b : right)
      result.push_back({v.b.CreateBinOp(Instruction::BinaryOps(opcode), a.first, b.first),
                        bothMasks(v, a.mask, b.mask)});
  return result;
}

// The alternatives of an integer, extended to 64 bits.
static Choices choicesOf(VectorBuilder &v, Value *old, bool is_signed) {
  if (isOneSide(*old, is_signed, v.shapes)) {
    Value *first = v.scalarOf(old);
    Type *i64 = v.b.getInt64Ty();
    return {{is_signed ? v.b.CreateSExt(first, i64) : v.b.CreateZExt(first, i64)}};
  }
  auto *instruction = cast<Instruction>(old);
  const auto side = [&](Value &operand) { return choicesOf(v, &operand, is_signed); };
  if (isa<SelectInst, MinMaxIntrinsic>(instruction))
    return choicesOf(v, *instruction, side);
  if (isa<SExtInst, ZExtInst>(instruction))
    return choicesOf(v, instruction->getOperand(0),
                     isa<SExtInst>(instruction) || instruction->hasNonNeg());
  const unsigned opcode = opcodeOfSum(cast<BinaryOperator>(*instruction));
  const Choices left = side(*instruction->getOperand(0));
  if (opcode != Instruction::Shl)
    return combined(v, opcode, left, side(*instruction->getOperand(1)));
  const uint64_t places = cast<ConstantInt>(instruction->getOperand(1))->getZExtValue();
  return combined(v, Instruction::Mul, left, {{v.b.getInt64(uint64_t(1) << places)}});
}

// The alternatives of a pointer.
static Choices choicesOfAddress(VectorBuilder &v, Value *old) {
  if (v.shape(old).hasBase())
    return {{v.scalarOf(old)}};
  if (auto *choice = dyn_cast<SelectInst>(old))
    return choicesOf(v, *choice, [&](Value &side) { return choicesOfAddress(v, &side); });
  auto *gep = cast<GetElementPtrInst>(old);
  const AddressOffset offset = *offsetOf(*gep, v.data);
  const Choices bases = choicesOfAddress(v, gep->getPointerOperand());
  Choices distances = {{v.b.getInt64(uint64_t(offset.constant.getSExtValue()))}};
  for (const auto &[index, scale] : offset.variable) {
    const Choices size = {{v.b.getInt64(uint64_t(scale.getSExtValue()))}};
    distances = combined(v, Instruction::Add, distances,
                         combined(v, Instruction::Mul, choicesOf(v, index, true), size));
  }
  Choices addresses;
  for (const Choice &base : bases)
    for (const Choice &distance : distances)
      addresses.push_back({v.b.CreateGEP(v.b.getInt8Ty(), base.first, distance.first),
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
  const Sides sides = *sidesOfAddress(*old.getPointerOperand(), v.shapes, v.data);
  const Choices choices = choicesOfAddress(v, old.getPointerOperand());
  Value *result = nullptr;
  for (size_t i = 0; i < sides.size(); ++i) {
    const Choice &choice = choices[i];
    Value *mask = choice.mask ? v.mask.onlyHere(choice.mask) : v.mask.laneMask();
    Value *any_lane = v.b.CreateIsNotNull(v.mask.bitsOf(mask), "any_lane");
    // Without active lanes, the side's address may be of no memory. A masked load then loads
    // nothing, but takes a CPU hundreds of cycles, so it gets another side's address.
    Value *elsewhere = choices[i == 0 ? sides.size() - 1 : 0].first;
    Value *pointer = v.b.CreateSelect(any_lane, choice.first, elsewhere);
    Value *part = sides[i].stride ? loadVector(v, old, v.wide(type), pointer, mask)
                                  : loadOneElement(v, old, pointer, any_lane);
    result = result ? v.b.CreateSelect(mask, part, result) : part;
  }
  return result;
}

} // namespace heddle::engine::simd
