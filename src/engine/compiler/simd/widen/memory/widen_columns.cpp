// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Column accesses (strided_2d_access.h): a short vector for each column of the gang's rows, and a
// transposition in registers.
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/form/vector_transpose.h"
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned deepest_plane = 12;

Value *plus(IRBuilder<> &b, Value *left, Value *right) {
  return isZero(left) ? right : isZero(right) ? left : b.CreateAdd(left, right);
}

Value *times(IRBuilder<> &b, Value *left, Value *right) {
  return isZero(left) ? left : b.CreateMul(left, right);
}

} // namespace

// Exact if all lanes are active: the no-wrap flags of the program then hold in each of them.
std::optional<Widener::Plane> Widener::planeOf(Value *value, unsigned depth) {
  const Shape form = shape(value);
  const auto wide = [&](Value *scalar) {
    return scalar->getType()->isPointerTy() ? scalar : b_.CreateSExt(scalar, b_.getInt64Ty());
  };
  const bool whole = value->getType()->isPointerTy() || value->getType()->isIntegerTy(64);
  if (!whole && !value->getType()->isIntegerTy(32))
    return std::nullopt;
  if (form.isUniform())
    return Plane{wide(scalarOf(value)), b_.getInt64(0), b_.getInt64(0)};
  const bool is_index = calledName(*value).contains(".sreg.tid.");
  if (form.hasRowBases() && (whole || is_index)) {
    Value *down = stepOf(value);
    if (!down)
      return std::nullopt;
    return Plane{wide(rowsOf(value).front()), b_.getInt64(uint64_t(form.stride)), down};
  }
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth == 0)
    return std::nullopt;
  if (auto *gep = dyn_cast<GetElementPtrInst>(instruction))
    return planeOfAddress(*gep, depth);
  if (isa<SExtInst>(instruction))
    return planeOf(instruction->getOperand(0), depth - 1);
  const bool arithmetic =
      isa<OverflowingBinaryOperator>(instruction) && instruction->getOpcode() != Instruction::Shl;
  if (!arithmetic || (!whole && !instruction->hasNoSignedWrap()))
    return std::nullopt;
  auto left = planeOf(instruction->getOperand(0), depth - 1);
  auto right = planeOf(instruction->getOperand(1), depth - 1);
  if (!left || !right)
    return std::nullopt;
  if (instruction->getOpcode() == Instruction::Mul) {
    if (shape(instruction->getOperand(0)).isUniform())
      std::swap(left, right);
    else if (!shape(instruction->getOperand(1)).isUniform())
      return std::nullopt;
    return Plane{times(b_, left->first, right->first), times(b_, left->along, right->first),
                 times(b_, left->down, right->first)};
  }
  if (instruction->getOpcode() == Instruction::Sub) {
    Value *minus = b_.getInt64(~uint64_t(0));
    right = Plane{times(b_, right->first, minus), times(b_, right->along, minus),
                  times(b_, right->down, minus)};
  }
  return Plane{plus(b_, left->first, right->first), plus(b_, left->along, right->along),
               plus(b_, left->down, right->down)};
}

std::optional<Widener::Plane> Widener::planeOfAddress(GetElementPtrInst &gep, unsigned depth) {
  const auto offset = offsetOf(gep, data_);
  const auto base = planeOf(gep.getPointerOperand(), depth - 1);
  if (!offset || !base)
    return std::nullopt;
  Value *bytes = b_.getInt64(uint64_t(offset->constant.getSExtValue()));
  Plane result{nullptr, base->along, base->down};
  for (const auto &[index, scale] : offset->variable) {
    const auto part = index->getType()->isIntegerTy(64) ? planeOf(index, depth - 1) : std::nullopt;
    if (!part)
      return std::nullopt;
    Value *factor = b_.getInt64(uint64_t(scale.getSExtValue()));
    bytes = plus(b_, bytes, times(b_, part->first, factor));
    result.along = plus(b_, result.along, times(b_, part->along, factor));
    result.down = plus(b_, result.down, times(b_, part->down, factor));
  }
  result.first = b_.CreateGEP(b_.getInt8Ty(), base->first, bytes);
  return result;
}

// The address of each column of the gang's rows, if its elements are contiguous.
std::optional<Widener::Rows> Widener::columnsAt(Value *old_pointer, Type *type) {
  if (!allActive() || !options_.layout.hasRows() || rowCount() < 2 || !isPowerOf2_32(rowCount()) ||
      rowLength() % rowCount() != 0 || !isPlain(type))
    return std::nullopt;
  const auto plane = planeOf(old_pointer, deepest_plane);
  if (!plane)
    return std::nullopt;
  const auto *down = dyn_cast<ConstantInt>(plane->down);
  if (!down || down->getSExtValue() != int64_t(sizeOf(type)))
    return std::nullopt;
  Rows result = {plane->first};
  while (result.size() < rowLength())
    result.push_back(b_.CreateGEP(b_.getInt8Ty(), result.back(), plane->along));
  return result;
}

Value *Widener::loadColumns(LoadInst &old, const Rows &columns) {
  const unsigned rows = rowCount(), in_vector = rowLength() / rows;
  auto *column = FixedVectorType::get(old.getType(), rows);
  SmallVector<Value *> sequence;
  SmallVector<Value *> parts;
  for (Value *pointer : columns) {
    parts.push_back(loadVector(old, column, pointer, nullptr));
    if (parts.size() == in_vector) {
      sequence.push_back(concatenateVectors(b_, parts));
      parts.clear();
    }
  }
  return concatenateVectors(b_, separate(b_, sequence));
}

void Widener::storeColumns(StoreInst &old, const Rows &columns) {
  const unsigned rows = rowCount(), in_vector = rowLength() / rows;
  Value *value = vectorOf(old.getValueOperand());
  SmallVector<Value *> parts;
  for (unsigned row = 0; row < rows; ++row)
    parts.push_back(rowOf(value, row));
  const auto sequence = join(b_, parts);
  const auto store = [&](Align align, bool streams) -> Value * {
    for (unsigned i = 0; i < columns.size(); ++i) {
      StoreInst *column = b_.CreateAlignedStore(
          partOf(sequence[i / in_vector], i % in_vector * rows, rows), columns[i], align);
      column->copyMetadata(old, kept_of_access);
      if (streams)
        column->setMetadata(LLVMContext::MD_nontemporal,
                            MDNode::get(old.getContext(), ConstantAsMetadata::get(b_.getInt32(1))));
    }
    return nullptr;
  };
  either(
      mayStream(old, columns, rows), [&] { return store(Align(line_bytes), true); },
      [&] {
        return store(alignOfNeighbours(old.getValueOperand()->getType(), old.getAlign()), false);
      });
}

} // namespace heddle::engine::simd
