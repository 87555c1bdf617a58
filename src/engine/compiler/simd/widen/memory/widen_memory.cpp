// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/memory/widen_memory.h"
#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/lane_values.h"
#include "engine/compiler/simd/widen/memory/alignment_check.h"
#include "engine/compiler/simd/widen/memory/contiguous_access.h"
#include "engine/compiler/simd/widen/memory/piecewise_access.h"
#include "engine/compiler/simd/widen/memory/widen_columns.h"
#include "engine/compiler/simd/widen/memory/widen_gather.h"
#include "engine/compiler/simd/widen/memory/widen_interleaved.h"
#include "engine/compiler/simd/widen/memory/widen_patterns.h"
#include "engine/compiler/simd/widen/memory/widen_strided.h"
#include "engine/compiler/simd/widen/memory/widen_table.h"
#include "engine/compiler/simd/widen/widen_packs.h"
#include "support/paths.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

#include <numeric>
#include <stdexcept>
#include <tuple>

using namespace llvm;

namespace heddle::engine::simd {

static Value *gatherUnlessContiguous(VectorBuilder &v, LoadInst &old);
static void scatterUnlessContiguous(VectorBuilder &v, StoreInst &old);
static void storeToOnePlace(VectorBuilder &v, StoreInst &old);

// Whether lanes (of each row) are contiguous. Volatile accesses in tiled gangs are not, since they
// must be one access.
static bool isNeighbours(VectorBuilder &v, const Shape &address, Type *type, bool is_volatile) {
  return (address.isAffine() || (address.isTiledAffine() && !is_volatile)) &&
         address.stride == int64_t(v.sizeOf(type)) && v.isPlain(type);
}

// Whether lanes are contiguous in descending order.
static bool isBackwards(VectorBuilder &v, const Shape &address, Type *type) {
  return (address.isAffine() || address.isTiledAffine()) &&
         address.stride == -int64_t(v.sizeOf(type)) && v.isPlain(type);
}

// ---- Loads ----

// Whether it loads the block's context, which is the same for all gangs of a sweep.
static bool isBlockOfGang(VectorBuilder &v, const LoadInst &load) {
  if (!v.block || !load.getType()->isPointerTy())
    return false;
  APInt offset(v.data.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(v.data, offset, true);
  return base == v.thread.getArg(0) && offset == offsetof(ThreadContext, block);
}

Value *widenLoad(VectorBuilder &v, LoadInst &old) {
  if (!old.hasMetadata(LLVMContext::MD_invariant_load)) // parameters and contexts are valid
    checkAlignment(v, old.getPointerOperand(), old.getAlign());
  Type *type = old.getType();
  const Shape where = v.shape(old.getPointerOperand());
  if (isBlockOfGang(v, old))
    return v.block;
  if (v.shape(&old).isUniform()) {
    auto *copy = cast<LoadInst>(old.clone());
    copy->setOperand(0, v.scalarOf(old.getPointerOperand()));
    v.remark(old, Remark::Kind::Scalar, "load");
    return v.b.Insert(copy);
  }
  if (type->isVectorTy())
    return loadPack(v, old);
  if (isNeighbours(v, where, type, old.isVolatile()) && !old.isAtomic()) {
    v.remark(old, Remark::Kind::Contiguous, "load");
    return loadNeighbours(v, old, v.rowsOf(old.getPointerOperand()));
  }
  if (const AccessGroup *group = groupOf(v, old)) {
    v.remark(old, Remark::Kind::Interleaved, "load");
    return loadGroup(v, *group, old);
  }
  if (v.mask.areFew() && old.isSimple()) {
    v.remark(old, Remark::Kind::LaneByLane, "load");
    return gather(v, old);
  }
  const bool maskable = v.mask.allActive() || v.hasMaskedAccess(type);
  if (const unsigned step = smallStep(v, where, type); step && old.isSimple() && maskable) {
    v.remark(old, Remark::Kind::EveryFew, "load");
    return loadEvery(v, old, step);
  }
  if (isBackwards(v, where, type) && old.isSimple() && maskable) {
    v.remark(old, Remark::Kind::Reversed, "load");
    return loadBackwards(v, old);
  }
  if (old.isSimple())
    if (const auto columns = columnsAt(v, old.getPointerOperand(), type)) {
      v.remark(old, Remark::Kind::Columns, "load");
      return loadColumns(v, old, *columns);
    }
  if (Value *looked_up = loadFromTable(v, old))
    return looked_up;
  if (Value *permuted = loadPattern(v, old))
    return permuted;
  if (const AccessGroup *group = scatteredGroupOf(v, old)) {
    v.remark(old, Remark::Kind::Scattered, "load");
    return loadScattered(v, *group, old);
  }
  v.remark(old, where.isAffine() ? Remark::Kind::Strided : Remark::Kind::Gather, "load");
  return gatherUnlessContiguous(v, old);
}

std::pair<Rows, Value *> inSteps(VectorBuilder &v, Value *values, ArrayRef<int64_t> steps_of_row) {
  Type *integer = values->getType()->getScalarType();
  SmallVector<Constant *> steps;
  for (unsigned lane = 0; lane < v.lanes; ++lane)
    steps.push_back(ConstantInt::getSigned(integer, steps_of_row[lane % v.rowLength()]));
  Value *starts = v.b.CreateSub(values, ConstantVector::get(steps));
  Rows firsts;
  SmallVector<Value *> expected;
  for (unsigned row = 0; row < v.rowCount(); ++row) {
    firsts.push_back(v.b.CreateExtractElement(
        starts, v.rowCount() == 1 ? v.mask.firstLane() : v.b.getInt32(row * v.rowLength())));
    expected.push_back(v.b.CreateVectorSplat(v.rowLength(), firsts.back()));
  }
  Value *differs = v.b.CreateICmpNE(starts, concatenateVectors(v.b, expected));
  return {firsts, v.b.CreateIsNull(v.mask.bitsOf(v.mask.onlyHere(differs)))};
}

// The address as if lanes were contiguous, with a condition for that: a 32-bit index may wrap, and
// `min(x + 1, width - 1)` is x + 1 except at the border. The test is one comparison.
static std::optional<Neighbours> neighboursAt(VectorBuilder &v, Value *old_pointer, Type *type) {
  const auto where = indexedAddress(v, old_pointer);
  if (v.shape(old_pointer).isTiledAffine() || !where || !v.isPlain(type) ||
      where->gep->getNumIndices() != 1 ||
      v.data.getTypeAllocSize(where->gep->getSourceElementType()) != v.sizeOf(type))
    return std::nullopt;
  const Shape form = v.shape(where->narrow);
  if (where->narrow->getType()->getIntegerBitWidth() < 8) // cannot number the lanes
    return std::nullopt;
  if (form.hasRowBases() && form.stride != 1)
    return std::nullopt;
  Type *integer = where->narrow->getType();
  Rows firsts;
  Value *in_order = v.b.getTrue();
  if (form.hasRowBases()) {
    firsts = v.rowsOf(where->narrow);
  } else {
    SmallVector<int64_t> steps(v.rowLength());
    std::iota(steps.begin(), steps.end(), 0);
    std::tie(firsts, in_order) = inSteps(v, v.vectorOf(where->narrow), steps);
  }
  const bool is_signed = !where->extension || isa<SExtInst>(where->extension);
  Neighbours result;
  result.known = in_order;
  for (Value *first : firsts) {
    Value *last = v.b.CreateAdd(first, ConstantInt::get(integer, v.rowLength() - 1));
    Value *no_wrap = v.b.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, first, last);
    result.known = v.b.CreateAnd(result.known, no_wrap);
    Value *index = first;
    if (where->extension)
      index = v.b.CreateCast(where->extension->getOpcode(), index, where->extension->getType());
    result.pointers.push_back(v.b.CreateGEP(where->gep->getSourceElementType(),
                                            v.scalarOf(where->gep->getPointerOperand()), index));
  }
  return result;
}

static Value *gatherUnlessContiguous(VectorBuilder &v, LoadInst &old) {
  if (Value *chosen = loadChosen(v, old))
    return chosen;
  std::optional<Neighbours> found;
  if (!old.isVolatile() && !old.isAtomic() &&
      (v.mask.allActive() || v.hasMaskedAccess(old.getType())))
    found = neighboursAt(v, old.getPointerOperand(), old.getType());
  if (!found)
    return gather(v, old);
  return v.either(
      found->known, [&] { return loadNeighbours(v, old, found->pointers); },
      [&] { return gather(v, old); });
}

Value *gather(VectorBuilder &v, LoadInst &old) {
  Type *type = old.getType();
  const auto one = [&](Value *address) {
    auto *copy = cast<LoadInst>(old.clone());
    copy->setOperand(0, address);
    return v.b.Insert(copy);
  };
  // For active lanes only (volatile, atomic), or of a type that is no vector element.
  if (old.isVolatile() || old.isAtomic() || type->isAggregateType()) {
    LaneValue pointer(v, old.getPointerOperand());
    return forEachLane(v, type, [&](Value *lane) { return one(pointer.at(lane)); });
  }
  if (v.fitsNativeGather(type) && !v.mask.areFew()) {
    if (Value *gathered = gatherByIndex(v, old))
      return gathered;
    return v.b.CreateMaskedGather(v.wide(type), v.vectorOf(old.getPointerOperand()), old.getAlign(),
                                  v.mask.vector());
  }
  Value *result = PoisonValue::get(v.wide(type));
  LaneAddresses addresses(v, old.getPointerOperand(), /*stores=*/false);
  for (const unsigned lane : v.mask.numbersHere())
    result = v.b.CreateInsertElement(result, one(addresses.at(lane)), lane);
  return result;
}

// ---- Stores ----

void widenStore(VectorBuilder &v, StoreInst &old) {
  checkAlignment(v, old.getPointerOperand(), old.getAlign());
  Value *old_value = old.getValueOperand();
  Type *type = old_value->getType();
  const Shape where = v.shape(old.getPointerOperand());
  if (where.isUniform()) {
    v.remark(old, Remark::Kind::Scalar, "store");
    return storeToOnePlace(v, old);
  }
  if (type->isVectorTy())
    return storePack(v, old);
  if (isNeighbours(v, where, type, old.isVolatile()) && !old.isAtomic()) {
    v.remark(old, Remark::Kind::Contiguous, "store");
    return storeNeighbours(v, old, v.rowsOf(old.getPointerOperand()));
  }
  if (const AccessGroup *group = groupOf(v, old)) {
    v.remark(old, Remark::Kind::Interleaved, "store");
    return storeGroup(v, *group, old);
  }
  if (v.mask.areFew() && old.isSimple()) {
    v.remark(old, Remark::Kind::LaneByLane, "store");
    return scatter(v, old);
  }
  if (const unsigned step = smallStep(v, where, type);
      step && old.isSimple() && v.hasMaskedAccess(type)) {
    v.remark(old, Remark::Kind::EveryFew, "store");
    return storeEvery(v, old, step);
  }
  if (isBackwards(v, where, type) && old.isSimple()) {
    v.remark(old, Remark::Kind::Reversed, "store");
    return storeBackwards(v, old);
  }
  if (old.isSimple())
    if (const auto columns = columnsAt(v, old.getPointerOperand(), type)) {
      v.remark(old, Remark::Kind::Columns, "store");
      return storeColumns(v, old, *columns);
    }
  v.remark(old, where.isAffine() ? Remark::Kind::Strided : Remark::Kind::Gather, "store");
  scatterUnlessContiguous(v, old);
}

static void scatterUnlessContiguous(VectorBuilder &v, StoreInst &old) {
  std::optional<Neighbours> found;
  if (!old.isVolatile() && !old.isAtomic())
    found = neighboursAt(v, old.getPointerOperand(), old.getValueOperand()->getType());
  if (!found)
    return scatter(v, old);
  v.either(
      found->known,
      [&]() -> Value * {
        storeNeighbours(v, old, found->pointers);
        return nullptr;
      },
      [&]() -> Value * {
        scatter(v, old);
        return nullptr;
      });
}

// If many lanes store to one address, any may be last; here the highest lane is.
static void storeToOnePlace(VectorBuilder &v, StoreInst &old) {
  Value *value = nullptr;
  if (v.shape(old.getValueOperand()).isUniform()) {
    value = v.scalarOf(old.getValueOperand());
  } else if (v.mask.allActive() || v.mask.firstLanes() || v.mask.areFew()) {
    Value *last = v.b.getInt32(v.mask.numbersHere().back());
    value = v.shape(old.getValueOperand()).isAffine()
                ? LaneValue(v, old.getValueOperand()).at(last)
                : v.b.CreateExtractElement(v.vectorOf(old.getValueOperand()), last);
  } else {
    Value *above = v.b.CreateBinaryIntrinsic(Intrinsic::ctlz, v.mask.laneBits(), v.b.getTrue());
    Value *last = v.b.CreateSub(
        ConstantInt::get(v.mask.bitsType(), v.mask.bitsType()->getBitWidth() - 1), above);
    value = v.b.CreateExtractElement(v.vectorOf(old.getValueOperand()), last);
  }
  auto *copy = cast<StoreInst>(old.clone());
  copy->setOperand(0, value);
  copy->setOperand(1, v.scalarOf(old.getPointerOperand()));
  v.b.Insert(copy);
}

void scatter(VectorBuilder &v, StoreInst &old) {
  if (v.fitsNativeGather(old.getValueOperand()->getType()) && !old.isVolatile() &&
      !old.isAtomic() && !v.mask.areFew()) {
    // If lanes store to one address, the highest lane's value remains.
    if (!scatterByIndex(v, old))
      v.b.CreateMaskedScatter(v.vectorOf(old.getValueOperand()),
                              v.vectorOf(old.getPointerOperand()), old.getAlign(), v.mask.vector());
    return;
  }
  LaneValue value(v, old.getValueOperand());
  LaneAddress pointer(v, old.getPointerOperand());
  forEachLane(v, nullptr, [&](Value *lane) -> Value * {
    auto *copy = cast<StoreInst>(old.clone());
    copy->setOperand(0, value.at(lane));
    copy->setOperand(1, pointer.at(lane));
    v.b.Insert(copy);
    return nullptr;
  });
}

} // namespace heddle::engine::simd
