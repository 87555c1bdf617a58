// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/tiled_values.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/calls/widen_calls.h"

#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace heddle::engine::simd {

static ConstantInt *stepOfPhi(VectorBuilder &v, PHINode &phi);

Value *stepOf(VectorBuilder &v, Value *value) {
  const Shape form = v.shape(value);
  if (form.isTiledAffine())
    return v.row_steps.lookup(value);
  if (form.isUniform())
    return v.b.getInt64(0);
  const bool whole = value->getType()->isPointerTy() || value->getType()->isIntegerTy(64);
  return form.isAffine() && whole ? v.b.getInt64(uint64_t(form.stride) * v.rowLength()) : nullptr;
}

bool isNotNegative(VectorBuilder &v, const Value *value) {
  return v.not_negative.contains(value) ||
         (value->getType()->isIntegerTy() && isKnownNonNegative(value, SimplifyQuery(v.data)));
}

// `i % 16` and `i / 16`, where i grows by a multiple of 16 from row to row.
static Value *stepOfBits(VectorBuilder &v, Instruction &instruction) {
  const auto *step = dyn_cast_or_null<ConstantInt>(stepOf(v, instruction.getOperand(0)));
  const auto *operand = dyn_cast<ConstantInt>(instruction.getOperand(1));
  if (!step || !operand)
    return nullptr;
  const APInt &number = operand->getValue();
  if (instruction.getOpcode() == Instruction::And)
    return number.isMask() && step->getValue().countr_zero() >= number.countr_one()
               ? v.b.getInt64(0)
               : nullptr;
  // For numbers that do not change sign from row to row; 64-bit ones may wrap.
  if (instruction.getType()->isIntegerTy(64))
    return nullptr;
  const bool not_negative =
      instruction.getOpcode() == Instruction::AShr || isNotNegative(v, instruction.getOperand(0));
  return not_negative && v.mask.allActive() && number.ult(step->getValue().countr_zero() + 1)
             ? v.b.CreateAShr(v.b.getInt64(uint64_t(step->getSExtValue())), number.getZExtValue())
             : nullptr;
}

static Value *stepOfResult(VectorBuilder &v, Instruction &instruction) {
  const auto step = [&](unsigned i) { return stepOf(v, instruction.getOperand(i)); };
  const auto same = [&](unsigned i) {
    const auto *constant = dyn_cast_or_null<ConstantInt>(step(i));
    return constant && constant->isZero();
  };
  const auto wide = [&](unsigned i) {
    return v.b.CreateSExt(v.rowsOf(instruction.getOperand(i)).front(), v.b.getInt64Ty());
  };
  if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
    return growthOf(*gep, v.data, v.b, [&](Value *part) { return stepOf(v, part); });
  if (v.data.getTypeSizeInBits(instruction.getType()) > 64)
    return nullptr; // __umul64hi computes in 128 bits
  // The no-wrap flags of the program hold for all lanes if all are active.
  const bool is_whole = !instruction.getType()->isIntegerTy() || // a pointer
                        instruction.getType()->isIntegerTy(64);
  const bool keeps_sign =
      is_whole || (v.mask.allActive() && isa<OverflowingBinaryOperator>(instruction) &&
                   instruction.hasNoSignedWrap());
  switch (instruction.getOpcode()) {
  case Instruction::SExt:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
    return step(0);
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return v.data.getTypeSizeInBits(instruction.getType()) == 64 ? step(0) : nullptr;
  case Instruction::ZExt:
    return (v.mask.allActive() && instruction.hasNonNeg()) ||
                   calledName(*instruction.getOperand(0)).contains(".sreg.tid.")
               ? step(0)
               : nullptr;
  case Instruction::Or:
    if (!v.mask.allActive() || !cast<PossiblyDisjointInst>(instruction).isDisjoint())
      return nullptr;
    return step(0) && step(1) ? v.b.CreateAdd(step(0), step(1)) : nullptr;
  case Instruction::Add:
    return keeps_sign && step(0) && step(1) ? v.b.CreateAdd(step(0), step(1)) : nullptr;
  case Instruction::Sub:
    return keeps_sign && step(0) && step(1) ? v.b.CreateSub(step(0), step(1)) : nullptr;
  case Instruction::Mul:
    if (keeps_sign && same(1) && step(0))
      return v.b.CreateMul(step(0), wide(1));
    return keeps_sign && same(0) && step(1) ? v.b.CreateMul(step(1), wide(0)) : nullptr;
  case Instruction::Shl:
    return keeps_sign && isa<Constant>(instruction.getOperand(1)) && step(0)
               ? v.b.CreateShl(step(0), wide(1))
               : nullptr;
  case Instruction::And:
  case Instruction::LShr:
  case Instruction::AShr:
    return stepOfBits(v, instruction);
  default:
    return nullptr;
  }
}

static Rows rowsFrom(VectorBuilder &v, Value *first, Value *step) {
  Rows result = {first};
  for (unsigned row = 1; row < v.rowCount(); ++row) {
    Value *distance = v.b.CreateMul(step, v.b.getInt64(row));
    if (first->getType()->isPointerTy())
      result.push_back(v.b.CreateGEP(v.b.getInt8Ty(), first, distance));
    else
      result.push_back(v.b.CreateAdd(first, v.b.CreateTrunc(distance, first->getType())));
  }
  return result;
}

Value *inRange(VectorBuilder &v, Value *value, Value *low) {
  const int64_t stride = v.shape(value).stride;
  Value *step = stepOf(v, value), *result = v.b.getTrue();
  Rows firsts = v.rowsOf(value);
  const auto within = [&](Value *number, Value *from, uint64_t size) {
    Value *fits = v.b.CreateICmpULT(v.b.CreateSub(number, from), v.b.getInt64(size));
    result = v.b.CreateAnd(result, fits);
  };
  constexpr uint64_t range = uint64_t(1) << 32;
  if (step) {
    within(step, v.b.getInt64(-range), 2 * range); // or rows between might be out of range
    firsts = v.rowCount() == 1 ? Rows{firsts.front()} : Rows{firsts.front(), firsts.back()};
  }
  for (Value *first : firsts) {
    within(first, low, range);
    if (stride != 0)
      within(v.b.CreateAdd(first, v.b.getInt64(uint64_t(stride) * (v.rowLength() - 1))), low,
             range);
  }
  return result;
}

// An operand's rows. A varying one does not affect a result that has rows: it is the condition of a
// choice between equals.
static Rows rowsOfOperand(VectorBuilder &v, Value *operand) {
  return v.shape(operand).hasRowBases()
             ? v.rowsOf(operand)
             : Rows(v.rowCount(), Constant::getNullValue(operand->getType()));
}

void keepRows(VectorBuilder &v, Instruction &instruction) {
  const StringRef name = calledName(instruction);
  Rows result;
  if (name == "llvm.nvvm.read.ptx.sreg.tid.x" || name == "llvm.nvvm.read.ptx.sreg.tid.y")
    v.row_steps[&instruction] = v.b.getInt64(name.ends_with("y"));
  else if (Value *step = stepOfResult(v, instruction)) {
    Instruction *copy = copyForFirst(instruction);
    for (Use &operand : copy->operands())
      operand.set(rowsOfOperand(v, operand).front());
    v.row_steps[&instruction] = step;
    v.defineRows(instruction, rowsFrom(v, v.insertOrFold(copy), step));
    return;
  }
  for (unsigned row = 0; row < v.rowCount(); ++row) {
    if (name == "llvm.nvvm.read.ptx.sreg.tid.x") {
      result.push_back(v.b.getInt32(0)); // rows are as long as the block is wide
      continue;
    }
    if (name == "llvm.nvvm.read.ptx.sreg.tid.y") {
      result.push_back(v.b.CreateAdd(v.thread_index[1], v.b.getInt32(row)));
      continue;
    }
    Instruction *copy = copyForFirst(instruction);
    for (Use &operand : copy->operands())
      operand.set(rowsOfOperand(v, operand)[row]);
    result.push_back(v.insertOrFold(copy));
  }
  v.defineRows(instruction, std::move(result));
}

Value *maskOfRows(VectorBuilder &v, const Rows &rows) {
  Value *bits = v.b.getIntN(v.lanes, 0);
  for (unsigned row = 0; row < rows.size(); ++row) {
    const APInt lanes = APInt::getBitsSet(v.lanes, row * v.rowLength(), (row + 1) * v.rowLength());
    bits =
        v.b.CreateOr(bits, v.b.CreateSelect(rows[row], v.b.getInt(lanes), v.b.getIntN(v.lanes, 0)));
  }
  return v.b.CreateBitCast(bits, v.wide(v.b.getInt1Ty()));
}

void makeRowPhis(VectorBuilder &v, PHINode &phi) {
  Rows rows;
  for (unsigned row = 0; row < v.rowCount(); ++row)
    rows.push_back(v.b.CreatePHI(phi.getType(), phi.getNumIncomingValues()));
  if (ConstantInt *step = stepOfPhi(v, phi))
    v.row_steps[&phi] = step;
  v.defineRows(phi, std::move(rows));
}

// The step that all incoming values have in common; in a loop, if all rows add the same amount.
static ConstantInt *stepOfPhi(VectorBuilder &v, PHINode &phi) {
  ConstantInt *result = nullptr;
  bool not_negative = true;
  SmallPtrSet<const PHINode *, 8> seen;
  SmallVector<PHINode *> work = {&phi};
  while (!work.empty()) {
    PHINode *one = work.pop_back_val();
    if (!seen.insert(one).second)
      continue;
    // Inactive lanes may have any value.
    if (any_of(*one->getParent(), [](const auto &i) { return calledName(i) == mask_marker; }))
      return nullptr;
    for (Value *value : one->incoming_values()) {
      const auto *sum = dyn_cast<BinaryOperator>(value);
      if (sum && sum->getOpcode() == Instruction::Add && sum->getOperand(0) == &phi &&
          v.shape(sum->getOperand(1)).isUniform() &&
          (sum->getType()->isIntegerTy(64) || sum->hasNoSignedWrap())) {
        not_negative &= sum->hasNoSignedWrap() && isNotNegative(v, sum->getOperand(1));
        continue;
      }
      if (auto *other = dyn_cast<PHINode>(value);
          other && v.shape(other).isTiledAffine() && !v.row_values.count(other)) {
        work.push_back(other);
        continue;
      }
      auto *step = dyn_cast_or_null<ConstantInt>(stepOf(v, value));
      if (!step || (result && result != step))
        return nullptr;
      result = step;
      not_negative &= isNotNegative(v, value);
    }
  }
  if (not_negative)
    v.not_negative.insert(&phi);
  return result;
}

void completeRowPhis(VectorBuilder &v, PHINode &phi) {
  const Rows copies = v.row_values.lookup(&phi);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    BasicBlock *from = v.tails.lookup(phi.getIncomingBlock(i));
    if (!from)
      continue; // unreachable
    v.b.SetInsertPoint(from->getTerminator());
    const Rows values = v.rowsOf(phi.getIncomingValue(i));
    for (unsigned row = 0; row < v.rowCount(); ++row)
      cast<PHINode>(copies[row])->addIncoming(values[row], from);
  }
}

} // namespace heddle::engine::simd
