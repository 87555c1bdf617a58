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

struct Plane { // an i64 or pointer with the stride `along` in rows, `down` in columns
  Value *first, *along, *down;
};

constexpr unsigned deepest_plane = 12;

Value *plus(IRBuilder<> &b, Value *left, Value *right) {
  return isZero(left) ? right : isZero(right) ? left : b.CreateAdd(left, right);
}

Value *times(IRBuilder<> &b, Value *left, Value *right) {
  return isZero(left) ? left : b.CreateMul(left, right);
}

} // namespace

static std::optional<Plane> planeOfAddress(VectorBuilder &v, GetElementPtrInst &gep,
                                           unsigned depth);

// Exact if all lanes are active: the no-wrap flags of the program then hold in each of them.
static std::optional<Plane> planeOf(VectorBuilder &v, Value *value, unsigned depth) {
  const Shape form = v.shape(value);
  const auto wide = [&](Value *scalar) {
    return scalar->getType()->isPointerTy() ? scalar : v.b.CreateSExt(scalar, v.b.getInt64Ty());
  };
  const bool whole = value->getType()->isPointerTy() || value->getType()->isIntegerTy(64);
  if (!whole && !value->getType()->isIntegerTy(32))
    return std::nullopt;
  if (form.isUniform())
    return Plane{wide(v.scalarOf(value)), v.b.getInt64(0), v.b.getInt64(0)};
  const bool is_index = calledName(*value).contains(".sreg.tid.");
  if (form.hasRowBases() && (whole || is_index)) {
    Value *down = stepOf(v, value);
    if (!down)
      return std::nullopt;
    return Plane{wide(v.rowsOf(value).front()), v.b.getInt64(uint64_t(form.stride)), down};
  }
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth == 0)
    return std::nullopt;
  if (auto *gep = dyn_cast<GetElementPtrInst>(instruction))
    return planeOfAddress(v, *gep, depth);
  if (isa<SExtInst>(instruction))
    return planeOf(v, instruction->getOperand(0), depth - 1);
  const bool arithmetic =
      isa<OverflowingBinaryOperator>(instruction) && instruction->getOpcode() != Instruction::Shl;
  if (!arithmetic || (!whole && !instruction->hasNoSignedWrap()))
    return std::nullopt;
  auto left = planeOf(v, instruction->getOperand(0), depth - 1);
  auto right = planeOf(v, instruction->getOperand(1), depth - 1);
  if (!left || !right)
    return std::nullopt;
  if (instruction->getOpcode() == Instruction::Mul) {
    if (v.shape(instruction->getOperand(0)).isUniform())
      std::swap(left, right);
    else if (!v.shape(instruction->getOperand(1)).isUniform())
      return std::nullopt;
    return Plane{times(v.b, left->first, right->first), times(v.b, left->along, right->first),
                 times(v.b, left->down, right->first)};
  }
  if (instruction->getOpcode() == Instruction::Sub) {
    Value *minus = v.b.getInt64(~uint64_t(0));
    right = Plane{times(v.b, right->first, minus), times(v.b, right->along, minus),
                  times(v.b, right->down, minus)};
  }
  return Plane{plus(v.b, left->first, right->first), plus(v.b, left->along, right->along),
               plus(v.b, left->down, right->down)};
}

static std::optional<Plane> planeOfAddress(VectorBuilder &v, GetElementPtrInst &gep,
                                           unsigned depth) {
  const auto offset = offsetOf(gep, v.data);
  const auto base = planeOf(v, gep.getPointerOperand(), depth - 1);
  if (!offset || !base)
    return std::nullopt;
  Value *bytes = v.b.getInt64(uint64_t(offset->constant.getSExtValue()));
  Plane result{nullptr, base->along, base->down};
  for (const auto &[index, scale] : offset->variable) {
    const auto part =
        index->getType()->isIntegerTy(64) ? planeOf(v, index, depth - 1) : std::nullopt;
    if (!part)
      return std::nullopt;
    Value *factor = v.b.getInt64(uint64_t(scale.getSExtValue()));
    bytes = plus(v.b, bytes, times(v.b, part->first, factor));
    result.along = plus(v.b, result.along, times(v.b, part->along, factor));
    result.down = plus(v.b, result.down, times(v.b, part->down, factor));
  }
  result.first = v.b.CreateGEP(v.b.getInt8Ty(), base->first, bytes);
  return result;
}

// The address of each column of the gang's rows, if its elements are contiguous.
static std::optional<Rows> columnsAt(VectorBuilder &v, Value *old_pointer, Type *type) {
  if (!v.mask.allActive() || !v.options.layout.hasRows() || v.rowCount() < 2 ||
      !isPowerOf2_32(v.rowCount()) || v.rowLength() % v.rowCount() != 0 || !v.isPlain(type))
    return std::nullopt;
  const auto plane = planeOf(v, old_pointer, deepest_plane);
  if (!plane)
    return std::nullopt;
  const auto *down = dyn_cast<ConstantInt>(plane->down);
  if (!down || down->getSExtValue() != int64_t(v.sizeOf(type)))
    return std::nullopt;
  Rows result = {plane->first};
  while (result.size() < v.rowLength())
    result.push_back(v.b.CreateGEP(v.b.getInt8Ty(), result.back(), plane->along));
  return result;
}

Value *loadColumns(VectorBuilder &v, LoadInst &old) {
  const auto columns =
      old.isSimple() ? columnsAt(v, old.getPointerOperand(), old.getType()) : std::nullopt;
  if (!columns)
    return nullptr;
  const unsigned rows = v.rowCount(), in_vector = v.rowLength() / rows;
  auto *column = FixedVectorType::get(old.getType(), rows);
  SmallVector<Value *> sequence;
  SmallVector<Value *> parts;
  for (Value *pointer : *columns) {
    parts.push_back(loadVector(v, old, column, pointer, nullptr));
    if (parts.size() == in_vector) {
      sequence.push_back(concatenateVectors(v.b, parts));
      parts.clear();
    }
  }
  return concatenateVectors(v.b, separate(v.b, sequence));
}

bool storeColumns(VectorBuilder &v, StoreInst &old) {
  const auto found = old.isSimple()
                         ? columnsAt(v, old.getPointerOperand(), old.getValueOperand()->getType())
                         : std::nullopt;
  if (!found)
    return false;
  const Rows &columns = *found;
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
  return true;
}

} // namespace heddle::engine::simd
