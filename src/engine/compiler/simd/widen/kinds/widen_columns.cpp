// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/widen_columns.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/form/vector_transpose.h"
#include "engine/compiler/simd/widen/kinds/contiguous_access.h"
#include "engine/compiler/simd/widen/tiled_values.h"

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

bool is64Bits(const Value &value) {
  return value.getType()->isPointerTy() || value.getType()->isIntegerTy(64);
}

// Whether rowsOf() and stepOf() say all about the value's lanes.
bool hasRows(VectorBuilder &v, const Value &value) {
  return v.shape(&value).hasRowBases() &&
         (is64Bits(value) || calledName(value).contains(".sreg.tid."));
}

} // namespace

// Exact if all lanes are active: the no-wrap flags of the program then hold in each of them.
static std::optional<int64_t> rowStepOf(VectorBuilder &v, Value &value, unsigned depth) {
  if (!is64Bits(value) && !value.getType()->isIntegerTy(32))
    return std::nullopt;
  if (v.shape(&value).isUniform())
    return 0;
  if (hasRows(v, value)) {
    const auto *step = dyn_cast_or_null<ConstantInt>(stepOf(v, &value));
    return step ? std::optional(step->getSExtValue()) : std::nullopt;
  }
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || depth == 0)
    return std::nullopt;
  const auto operand = [&](Value *part) { return rowStepOf(v, *part, depth - 1); };
  // left + right * scale
  const auto sum = [](std::optional<int64_t> left, std::optional<int64_t> right, int64_t scale) {
    return left && right
               ? std::optional(int64_t(uint64_t(*left) + uint64_t(*right) * uint64_t(scale)))
               : std::nullopt;
  };
  if (auto *gep = dyn_cast<GetElementPtrInst>(instruction)) {
    const auto offset = offsetOf(*gep, v.data);
    auto result = offset ? operand(gep->getPointerOperand()) : std::nullopt;
    for (const auto &[index, scale] : offset ? offset->variable : decltype(offset->variable)())
      result = sum(result, index->getType()->isIntegerTy(64) ? operand(index) : std::nullopt,
                   scale.getSExtValue());
    return result;
  }
  if (isa<SExtInst>(instruction))
    return operand(instruction->getOperand(0));
  if (!isa<OverflowingBinaryOperator>(instruction) ||
      (!is64Bits(value) && !instruction->hasNoSignedWrap()))
    return std::nullopt;
  Value *left = instruction->getOperand(0), *right = instruction->getOperand(1);
  switch (instruction->getOpcode()) {
  case Instruction::Add:
    return sum(operand(left), operand(right), 1);
  case Instruction::Sub:
    return sum(operand(left), operand(right), -1);
  case Instruction::Mul: {
    if (v.shape(left).isUniform())
      std::swap(left, right);
    const auto *factor = dyn_cast<ConstantInt>(right);
    const auto step = v.shape(right).isUniform() ? operand(left) : std::nullopt;
    return !step || *step == 0 ? step
           : factor            ? sum(0, step, factor->getSExtValue())
                               : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> rowStepOf(VectorBuilder &v, const Value &address) {
  return rowStepOf(v, const_cast<Value &>(address), deepest_plane); // NOLINT
}

namespace {

struct Plane { // an i64 or pointer with the stride `along` in rows, and a constant one in columns
  Value *first, *along;
};

} // namespace

static Plane planeOfAddress(VectorBuilder &v, GetElementPtrInst &gep);

// Expects a value of which rowStepOf() knows the step.
static Plane planeOf(VectorBuilder &v, Value *value) {
  const auto wide = [&](Value *scalar) {
    return scalar->getType()->isPointerTy() ? scalar : v.b.CreateSExt(scalar, v.b.getInt64Ty());
  };
  if (v.shape(value).isUniform())
    return {wide(v.scalarOf(value)), v.b.getInt64(0)};
  if (hasRows(v, *value))
    return {wide(v.rowsOf(value).front()), v.b.getInt64(uint64_t(v.shape(value).stride))};
  if (auto *gep = dyn_cast<GetElementPtrInst>(value))
    return planeOfAddress(v, *gep);
  auto *instruction = cast<Instruction>(value);
  if (isa<SExtInst>(instruction))
    return planeOf(v, instruction->getOperand(0));
  Plane left = planeOf(v, instruction->getOperand(0));
  Plane right = planeOf(v, instruction->getOperand(1));
  if (instruction->getOpcode() == Instruction::Mul) {
    if (v.shape(instruction->getOperand(0)).isUniform())
      std::swap(left, right);
    return {times(v.b, left.first, right.first), times(v.b, left.along, right.first)};
  }
  if (instruction->getOpcode() == Instruction::Sub) {
    Value *minus = v.b.getInt64(~uint64_t(0));
    right = {times(v.b, right.first, minus), times(v.b, right.along, minus)};
  }
  return {plus(v.b, left.first, right.first), plus(v.b, left.along, right.along)};
}

static Plane planeOfAddress(VectorBuilder &v, GetElementPtrInst &gep) {
  const AddressOffset offset = *offsetOf(gep, v.data);
  const Plane base = planeOf(v, gep.getPointerOperand());
  Value *bytes = v.b.getInt64(uint64_t(offset.constant.getSExtValue()));
  Plane result{nullptr, base.along};
  for (const auto &[index, scale] : offset.variable) {
    const Plane part = planeOf(v, index);
    Value *factor = v.b.getInt64(uint64_t(scale.getSExtValue()));
    bytes = plus(v.b, bytes, times(v.b, part.first, factor));
    result.along = plus(v.b, result.along, times(v.b, part.along, factor));
  }
  result.first = v.b.CreateGEP(v.b.getInt8Ty(), base.first, bytes);
  return result;
}

// The address of each column of the gang's rows.
static Rows columnsAt(VectorBuilder &v, Value *old_pointer) {
  const Plane plane = planeOf(v, old_pointer);
  Rows result = {plane.first};
  while (result.size() < v.rowLength())
    result.push_back(v.b.CreateGEP(v.b.getInt8Ty(), result.back(), plane.along));
  return result;
}

Value *loadColumns(VectorBuilder &v, LoadInst &old) {
  const Rows columns = columnsAt(v, old.getPointerOperand());
  const unsigned rows = v.rowCount(), in_vector = v.rowLength() / rows;
  auto *column = FixedVectorType::get(old.getType(), rows);
  SmallVector<Value *> sequence;
  SmallVector<Value *> parts;
  for (Value *pointer : columns) {
    parts.push_back(loadVector(v, old, column, pointer, nullptr));
    if (parts.size() == in_vector) {
      sequence.push_back(concatenateVectors(v.b, parts));
      parts.clear();
    }
  }
  return concatenateVectors(v.b, separate(v.b, sequence));
}

void storeColumns(VectorBuilder &v, StoreInst &old) {
  const Rows columns = columnsAt(v, old.getPointerOperand());
  const unsigned rows = v.rowCount(), in_vector = v.rowLength() / rows;
  Value *value = v.vectorOf(old.getValueOperand());
  SmallVector<Value *> parts;
  for (unsigned row = 0; row < rows; ++row)
    parts.push_back(v.rowOf(value, row));
  const auto sequence = join(v.b, parts);
  const auto store = [&](Align align, bool streams) -> Value * {
    for (unsigned i = 0; i < columns.size(); ++i) {
      StoreInst *column = v.b.CreateAlignedStore(
          v.partOf(sequence[i / in_vector], i % in_vector * rows, rows), columns[i], align);
      column->copyMetadata(old, kept_of_access);
      if (streams)
        column->setMetadata(
            LLVMContext::MD_nontemporal,
            MDNode::get(old.getContext(), ConstantAsMetadata::get(v.b.getInt32(1))));
    }
    return nullptr;
  };
  v.either(
      mayStream(v, old, columns, rows), [&] { return store(Align(line_bytes), true); },
      [&] {
        return store(alignOfNeighbours(v, old.getValueOperand()->getType(), old.getAlign()), false);
      });
}

} // namespace heddle::engine::simd
