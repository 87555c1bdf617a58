// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiled affine values, which have a scalar for each row of a gang (Shape::Kind::Rows): values
// computed from threadIdx.y, and addresses that are contiguous within a row.
#include "engine/abi.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/optimize/nontemporal_stores.h"
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {

// The first lane's value of each row, at the builder's position.
Widener::Rows Widener::rowsOf(Value *value) {
  const Shape form = shape(value);
  if (form.isTiledAffine())
    return rows_.lookup(value);
  Value *first = scalarOf(value);
  Rows result;
  for (unsigned row = 0; row < rowCount(); ++row) {
    const uint64_t distance = uint64_t(form.stride) * row * rowLength();
    if (distance == 0)
      result.push_back(first);
    else if (first->getType()->isPointerTy())
      result.push_back(b_.CreateConstGEP1_64(b_.getInt8Ty(), first, distance));
    else
      result.push_back(b_.CreateAdd(first, ConstantInt::get(first->getType(), distance)));
  }
  return result;
}

void Widener::defineRows(Instruction &old, Rows rows) {
  for (Value *row : rows)
    if (isa<Instruction>(row) && !row->hasName())
      row->setName(old.getName());
  BasicBlock *block = b_.GetInsertBlock();
  rows_end_[&old] = block->empty() ? nullptr : &block->back();
  rows_[&old] = std::move(rows);
}

// ---- From row to row ----
//
// Most such values grow by a uniform step from row to row (an image's pitch, say). Then only the
// first row's value is computed, and the others by adding the step.

// The step as a uniform i64 (in bytes for pointers); null if there is none or it is unknown. Sums
// are modulo 2^64; narrower integers are signed and do not wrap from row to row.
Value *Widener::stepOf(Value *value) {
  const Shape form = shape(value);
  if (form.isTiledAffine())
    return row_steps_.lookup(value);
  if (form.isUniform())
    return b_.getInt64(0);
  const bool whole = value->getType()->isPointerTy() || value->getType()->isIntegerTy(64);
  return form.isAffine() && whole ? b_.getInt64(uint64_t(form.stride) * rowLength()) : nullptr;
}

Value *Widener::stepOfResult(Instruction &instruction) {
  const auto step = [&](unsigned i) { return stepOf(instruction.getOperand(i)); };
  const auto same = [&](unsigned i) {
    const auto *constant = dyn_cast_or_null<ConstantInt>(step(i));
    return constant && constant->isZero();
  };
  const auto wide = [&](unsigned i) {
    return b_.CreateSExt(rowsOf(instruction.getOperand(i)).front(), b_.getInt64Ty());
  };
  if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
    return growthOf(*gep, data_, b_, [&](Value *part) { return stepOf(part); });
  if (data_.getTypeSizeInBits(instruction.getType()) > 64)
    return nullptr; // __umul64hi computes in 128 bits
  // The no-wrap flags of the program hold for all lanes if all are active.
  const bool is_whole = !instruction.getType()->isIntegerTy() || // a pointer
                        instruction.getType()->isIntegerTy(64);
  const bool keeps_sign = is_whole || (allActive() && isa<OverflowingBinaryOperator>(instruction) &&
                                       instruction.hasNoSignedWrap());
  switch (instruction.getOpcode()) {
  case Instruction::SExt:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
    return step(0);
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return data_.getTypeSizeInBits(instruction.getType()) == 64 ? step(0) : nullptr;
  case Instruction::ZExt:
    return (allActive() && instruction.hasNonNeg()) ||
                   calledName(*instruction.getOperand(0)).contains(".sreg.tid.")
               ? step(0)
               : nullptr;
  case Instruction::Or:
    if (!allActive() || !cast<PossiblyDisjointInst>(instruction).isDisjoint())
      return nullptr;
    return step(0) && step(1) ? b_.CreateAdd(step(0), step(1)) : nullptr;
  case Instruction::Add:
    return keeps_sign && step(0) && step(1) ? b_.CreateAdd(step(0), step(1)) : nullptr;
  case Instruction::Sub:
    return keeps_sign && step(0) && step(1) ? b_.CreateSub(step(0), step(1)) : nullptr;
  case Instruction::Mul:
    if (keeps_sign && same(1) && step(0))
      return b_.CreateMul(step(0), wide(1));
    return keeps_sign && same(0) && step(1) ? b_.CreateMul(step(1), wide(0)) : nullptr;
  case Instruction::Shl:
    return keeps_sign && isa<Constant>(instruction.getOperand(1)) && step(0)
               ? b_.CreateShl(step(0), wide(1))
               : nullptr;
  case Instruction::And:
  case Instruction::LShr:
  case Instruction::AShr:
    return stepOfBits(instruction);
  default:
    return nullptr;
  }
}

bool Widener::isNotNegative(const Value *value) const {
  return not_negative_.contains(value) ||
         (value->getType()->isIntegerTy() && isKnownNonNegative(value, SimplifyQuery(data_)));
}

// `i % 16` and `i / 16`, where i grows by a multiple of 16 from row to row.
Value *Widener::stepOfBits(Instruction &instruction) {
  const auto *step = dyn_cast_or_null<ConstantInt>(stepOf(instruction.getOperand(0)));
  const auto *operand = dyn_cast<ConstantInt>(instruction.getOperand(1));
  if (!step || !operand)
    return nullptr;
  const APInt &number = operand->getValue();
  if (instruction.getOpcode() == Instruction::And)
    return number.isMask() && step->getValue().countr_zero() >= number.countr_one() ? b_.getInt64(0)
                                                                                    : nullptr;
  // For numbers that do not change sign from row to row; 64-bit ones may wrap.
  if (instruction.getType()->isIntegerTy(64))
    return nullptr;
  const bool not_negative =
      instruction.getOpcode() == Instruction::AShr || isNotNegative(instruction.getOperand(0));
  return not_negative && allActive() && number.ult(step->getValue().countr_zero() + 1)
             ? b_.CreateAShr(b_.getInt64(uint64_t(step->getSExtValue())), number.getZExtValue())
             : nullptr;
}

Widener::Rows Widener::rowsFrom(Value *first, Value *step) {
  Rows result = {first};
  for (unsigned row = 1; row < rowCount(); ++row) {
    Value *distance = b_.CreateMul(step, b_.getInt64(row));
    if (first->getType()->isPointerTy())
      result.push_back(b_.CreateGEP(b_.getInt8Ty(), first, distance));
    else
      result.push_back(b_.CreateAdd(first, b_.CreateTrunc(distance, first->getType())));
  }
  return result;
}

// in_range_marker, tested at the corners: the first and last lane of the first and last row.
Value *Widener::inRange(Value *value, Value *low) {
  const int64_t stride = shape(value).stride;
  Value *step = stepOf(value), *result = b_.getTrue();
  Rows firsts = rowsOf(value);
  const auto within = [&](Value *number, Value *from, uint64_t size) {
    Value *fits = b_.CreateICmpULT(b_.CreateSub(number, from), b_.getInt64(size));
    result = b_.CreateAnd(result, fits);
  };
  constexpr uint64_t range = uint64_t(1) << 32;
  if (step) {
    within(step, b_.getInt64(-range), 2 * range); // or rows between might be out of range
    firsts = rowCount() == 1 ? Rows{firsts.front()} : Rows{firsts.front(), firsts.back()};
  }
  for (Value *first : firsts) {
    within(first, low, range);
    if (stride != 0)
      within(b_.CreateAdd(first, b_.getInt64(uint64_t(stride) * (rowLength() - 1))), low, range);
  }
  return result;
}

// A row may have no active lanes, so flags that make overflow poison are dropped.
void Widener::keepRows(Instruction &instruction) {
  const StringRef name = calledName(instruction);
  Rows result;
  if (name == "llvm.nvvm.read.ptx.sreg.tid.x" || name == "llvm.nvvm.read.ptx.sreg.tid.y")
    row_steps_[&instruction] = b_.getInt64(name.ends_with("y"));
  else if (Value *step = stepOfResult(instruction)) {
    Instruction *copy = copyForFirst(instruction);
    for (Use &operand : copy->operands())
      operand.set(rowsOf(operand).front());
    row_steps_[&instruction] = step;
    defineRows(instruction, rowsFrom(insertOrFold(copy), step));
    return;
  }
  for (unsigned row = 0; row < rowCount(); ++row) {
    if (name == "llvm.nvvm.read.ptx.sreg.tid.x") {
      result.push_back(b_.getInt32(0)); // rows are as long as the block is wide
      continue;
    }
    if (name == "llvm.nvvm.read.ptx.sreg.tid.y") {
      result.push_back(b_.CreateAdd(thread_index_[1], b_.getInt32(row)));
      continue;
    }
    Instruction *copy = copyForFirst(instruction);
    for (Use &operand : copy->operands())
      operand.set(rowsOf(operand)[row]);
    result.push_back(insertOrFold(copy));
  }
  defineRows(instruction, std::move(result));
}

Value *Widener::rowOf(Value *vector, unsigned row) {
  return partOf(vector, row * rowLength(), rowLength());
}

// i1: whether any lane of the row is active.
Value *Widener::rowIsHere(unsigned row) {
  const APInt lanes =
      APInt::getBitsSet(bitsType()->getBitWidth(), row * rowLength(), (row + 1) * rowLength());
  return b_.CreateIsNotNull(b_.CreateAnd(laneBits(), b_.getInt(lanes)));
}

// Expands an i1 per row to a mask.
Value *Widener::maskOfRows(const Rows &rows) {
  Value *bits = b_.getIntN(lanes_, 0);
  for (unsigned row = 0; row < rows.size(); ++row) {
    const APInt lanes = APInt::getBitsSet(lanes_, row * rowLength(), (row + 1) * rowLength());
    bits = b_.CreateOr(bits, b_.CreateSelect(rows[row], b_.getInt(lanes), b_.getIntN(lanes_, 0)));
  }
  return b_.CreateBitCast(bits, wide(b_.getInt1Ty()));
}

Value *Widener::vectorOfRows(Value *value) {
  const IRBuilder<>::InsertPointGuard guard(b_);
  // After the definition, so that it dominates all uses. Without one, all rows are constants.
  if (Instruction *end = rows_end_.lookup(value)) {
    BasicBlock *block = end->getParent();
    b_.SetInsertPoint(block, isa<PHINode>(end) ? block->getFirstNonPHIIt()
                                               : std::next(end->getIterator()));
  }
  if (value->getType()->isIntegerTy(1))
    return maskOfRows(rows_.lookup(value));
  SmallVector<Value *> parts;
  for (Value *first : rows_.lookup(value))
    parts.push_back(growing(first, shape(value).stride, rowLength()));
  return concatenateVectors(b_, parts);
}

void Widener::makeRowPhis(PHINode &phi) {
  Rows rows;
  for (unsigned row = 0; row < rowCount(); ++row)
    rows.push_back(b_.CreatePHI(phi.getType(), phi.getNumIncomingValues()));
  if (ConstantInt *step = stepOfPhi(phi))
    row_steps_[&phi] = step;
  defineRows(phi, std::move(rows));
}

// The step that all incoming values have in common; in a loop, if all rows add the same amount.
ConstantInt *Widener::stepOfPhi(PHINode &phi) {
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
          shape(sum->getOperand(1)).isUniform() &&
          (sum->getType()->isIntegerTy(64) || sum->hasNoSignedWrap())) {
        not_negative &= sum->hasNoSignedWrap() && isNotNegative(sum->getOperand(1));
        continue;
      }
      if (auto *other = dyn_cast<PHINode>(value);
          other && shape(other).isTiledAffine() && !rows_.count(other)) {
        work.push_back(other);
        continue;
      }
      auto *step = dyn_cast_or_null<ConstantInt>(stepOf(value));
      if (!step || (result && result != step))
        return nullptr;
      result = step;
      not_negative &= isNotNegative(value);
    }
  }
  if (not_negative)
    not_negative_.insert(&phi);
  return result;
}

void Widener::completeRowPhis(PHINode &phi) {
  const Rows copies = rows_.lookup(&phi);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    BasicBlock *from = tails_.lookup(phi.getIncomingBlock(i));
    if (!from)
      continue; // unreachable
    b_.SetInsertPoint(from->getTerminator());
    const Rows values = rowsOf(phi.getIncomingValue(i));
    for (unsigned row = 0; row < rowCount(); ++row)
      cast<PHINode>(copies[row])->addIncoming(values[row], from);
  }
}

// ---- Memory ----

// One load for each row. A row without active lanes loads from another row's address.
void Widener::loadFromEachRow(LoadInst &old) {
  if (!old.hasMetadata(LLVMContext::MD_invariant_load))
    checkAlignment(old.getPointerOperand(), old.getAlign());
  remark(old, Remark::Kind::Scalar, "load");
  Rows pointers = rowsOf(old.getPointerOperand()), result;
  if (!allActive()) {
    Value *safe = pointers.back();
    for (unsigned row = rowCount() - 1; row-- > 0;)
      safe = b_.CreateSelect(rowIsHere(row), pointers[row], safe);
    for (unsigned row = 0; row < rowCount(); ++row)
      pointers[row] = b_.CreateSelect(rowIsHere(row), pointers[row], safe);
  }
  for (Value *pointer : pointers) {
    auto *copy = cast<LoadInst>(old.clone());
    copy->setOperand(0, pointer);
    result.push_back(b_.Insert(copy));
  }
  defineRows(old, std::move(result));
}

// The alignment of a vector that starts at any element.
Align Widener::alignOfNeighbours(Type *type, Align align) const {
  return std::min(align, Align(sizeOf(type)));
}

// LLVM 19 widens masked accesses of less than a register, and on AVX-512 does not clear the upper
// bits of a mask that was computed as a number. This clears them.
Value *Widener::maskOfWholeRegister(Value *mask, FixedVectorType *type) {
  constexpr unsigned register_bytes = 16;
  const unsigned lanes = type->getNumElements();
  const unsigned all = std::max(lanes, unsigned(register_bytes / sizeOf(type->getElementType())));
  if (!options_.native_gather || all == lanes)
    return mask;
  Value *bits = b_.CreateZExt(b_.CreateBitCast(mask, b_.getIntNTy(lanes)), b_.getIntNTy(all));
  return b_.CreateBitCast(bits, FixedVectorType::get(b_.getInt1Ty(), all));
}

void Widener::storeUnderMask(Value *vector, Value *pointer, Align align, Value *mask) {
  auto *type = cast<FixedVectorType>(vector->getType());
  mask = maskOfWholeRegister(mask, type);
  const unsigned lanes = cast<FixedVectorType>(mask->getType())->getNumElements();
  if (lanes != type->getNumElements())
    vector = b_.CreateShuffleVector(
        vector, createSequentialMask(0, type->getNumElements(), lanes - type->getNumElements()));
  b_.CreateMaskedStore(vector, pointer, align, mask);
}

Value *Widener::loadVector(LoadInst &old, Type *type, Value *pointer, Value *mask) {
  const Align align = alignOfNeighbours(old.getType(), old.getAlign());
  if (mask) {
    auto *vector = cast<FixedVectorType>(type);
    Value *wide_mask = maskOfWholeRegister(mask, vector);
    const unsigned lanes = cast<FixedVectorType>(wide_mask->getType())->getNumElements();
    auto *whole = FixedVectorType::get(vector->getElementType(), lanes);
    Value *loaded = b_.CreateMaskedLoad(whole, pointer, align, wide_mask);
    return whole == vector ? loaded
                           : b_.CreateShuffleVector(
                                 loaded, createSequentialMask(0, vector->getNumElements(), 0));
  }
  LoadInst *result = b_.CreateAlignedLoad(type, pointer, align, old.isVolatile());
  result->copyMetadata(old, kept_of_access);
  return result;
}

// One vector for each row; one in all if the gang is not tiled.
Value *Widener::loadNeighbours(LoadInst &old, const Rows &pointers) {
  prefetchAhead(old, pointers);
  auto *type = FixedVectorType::get(old.getType(), rowLength());
  const auto rows = [&](bool masked) {
    SmallVector<Value *> parts;
    for (unsigned row = 0; row < rowCount(); ++row)
      if (const auto here = firstInRow(row); here && masked)
        parts.push_back(loadFirst(old, pointers[row], *here, rowLength()));
      else
        parts.push_back(loadVector(old, type, pointers[row], masked ? rowOf(mask_, row) : nullptr));
    return concatenateVectors(b_, parts);
  };
  if (allActive() || areFirstInRows() || hasMaskedAccess(old.getType()))
    return rows(!allActive());
  return either(allHere(), [&] { return rows(false); }, [&] { return gather(old); });
}

// Whether to use non-temporal stores: whole lines, and the launch enables it
// (nontemporal_stores.h).
Value *Widener::mayStream(const StoreInst &old, const Rows &pointers, unsigned length) {
  if (!block_ || !old.hasMetadata(streaming_store) ||
      length * sizeOf(old.getValueOperand()->getType()) % line_bytes != 0)
    return b_.getFalse();
  Type *i64 = b_.getInt64Ty();
  Value *addresses = b_.getInt64(0);
  for (Value *pointer : pointers)
    addresses = b_.CreateOr(addresses, b_.CreatePtrToInt(pointer, i64));
  Value *bits =
      b_.CreateLoad(i64, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block_,
                                                       offsetof(BlockContext, stream_bits)));
  return b_.CreateIsNull(b_.CreateAnd(addresses, bits));
}

void Widener::storeRows(StoreInst &old, const Rows &pointers, Value *value) {
  const auto store = [&](Align align, bool streams) -> Value * {
    for (unsigned row = 0; row < rowCount(); ++row) {
      StoreInst *part =
          b_.CreateAlignedStore(rowOf(value, row), pointers[row], align, old.isVolatile());
      part->copyMetadata(old, kept_of_access);
      if (streams)
        part->setMetadata(LLVMContext::MD_nontemporal,
                          MDNode::get(old.getContext(), ConstantAsMetadata::get(b_.getInt32(1))));
    }
    return nullptr;
  };
  either(
      mayStream(old, pointers, rowLength()), [&] { return store(Align(line_bytes), true); },
      [&] {
        // Before and after barriers, out-of-order execution does not reach far enough ahead.
        if (options_.states || options_.layout.whole)
          prefetchAhead(old, pointers);
        return store(alignOfNeighbours(old.getValueOperand()->getType(), old.getAlign()), false);
      });
}

// `value` and the mask for active lanes are in the order of addresses.
void Widener::storeInOrder(StoreInst &old, const Rows &pointers, Value *value,
                           const OrderOfRow &order) {
  const Align align = alignOfNeighbours(old.getValueOperand()->getType(), old.getAlign());
  // Masked stores are many times slower than plain ones on some CPUs, and mostly all lanes are
  // active.
  either(
      allHere(),
      [&]() -> Value * {
        storeRows(old, pointers, value);
        return nullptr;
      },
      [&]() -> Value * {
        if (!hasMaskedAccess(old.getValueOperand()->getType()))
          scatter(old);
        else
          for (unsigned row = 0; row < rowCount(); ++row)
            storeUnderMask(rowOf(value, row), pointers[row], align, order(rowOf(mask_, row)));
        return nullptr;
      });
}

void Widener::storeNeighbours(StoreInst &old, const Rows &pointers) {
  Value *value = vectorOf(old.getValueOperand());
  if (!allActive() && areFirstInRows()) {
    for (unsigned row = 0; row < rowCount(); ++row)
      storeFirst(old, pointers[row], rowOf(value, row), firstInRow(row).value_or(rowLength()));
    return;
  }
  storeInOrder(old, pointers, value, [](Value *mask) { return mask; });
}

// ---- Descending: `a[n - 1 - i]` ----

// Reverses a row's elements.
Value *Widener::reversed(Value *vector) {
  const int length = int(rowLength());
  SmallVector<int> order;
  for (int lane = 0; lane < length; ++lane)
    order.push_back(length - 1 - lane);
  return b_.CreateShuffleVector(vector, order);
}

// The address of each row's last lane, which is the lowest.
Widener::Rows Widener::lastInRows(Value *old_pointer, Type *type) {
  Rows result = rowsOf(old_pointer);
  for (Value *&pointer : result)
    pointer = b_.CreateConstGEP1_64(b_.getInt8Ty(), pointer, -sizeOf(type) * (rowLength() - 1));
  return result;
}

Value *Widener::loadBackwards(LoadInst &old) {
  const Rows pointers = lastInRows(old.getPointerOperand(), old.getType());
  prefetchAhead(old, pointers);
  auto *type = FixedVectorType::get(old.getType(), rowLength());
  SmallVector<Value *> parts;
  for (unsigned row = 0; row < rowCount(); ++row) {
    Value *mask = allActive() ? nullptr : reversed(rowOf(mask_, row));
    parts.push_back(reversed(loadVector(old, type, pointers[row], mask)));
  }
  return concatenateVectors(b_, parts);
}

void Widener::storeBackwards(StoreInst &old) {
  Value *value = vectorOf(old.getValueOperand());
  SmallVector<Value *> parts;
  for (unsigned row = 0; row < rowCount(); ++row)
    parts.push_back(reversed(rowOf(value, row)));
  storeInOrder(old, lastInRows(old.getPointerOperand(), old.getValueOperand()->getType()),
               concatenateVectors(b_, parts), [&](Value *mask) { return reversed(mask); });
}

} // namespace heddle::engine::simd
