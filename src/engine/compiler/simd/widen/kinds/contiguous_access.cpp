// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/contiguous_access.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "engine/abi.h"
#include "engine/compiler/simd/optimize/nontemporal_stores.h"
#include "engine/compiler/simd/widen/kinds/widen_gather.h"
#include "engine/compiler/simd/widen/memory/widen_prefetch.h"

#include "llvm/ADT/bit.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Splits the lanes into powers of two: 24 as 16 and 8. Calls body(first, count).
template <typename Body> void forEachPart(unsigned lanes, const Body &body) {
  for (unsigned first = 0, count = 0; first < lanes; first += count) {
    count = bit_floor(lanes - first);
    body(first, count);
  }
}

using OrderOfRow = std::function<Value *(Value *)>;

} // namespace

Align alignOfNeighbours(VectorBuilder &v, Type *type, Align align) {
  return std::min(align, Align(v.sizeOf(type)));
}

// LLVM 19 widens masked accesses of less than a register, and on AVX-512 does not clear the upper
// bits of a mask that was computed as a number. This clears them.
static Value *maskOfWholeRegister(VectorBuilder &v, Value *mask, FixedVectorType *type) {
  constexpr unsigned register_bytes = 16;
  const unsigned lanes = type->getNumElements();
  const unsigned all = std::max(lanes, unsigned(register_bytes / v.sizeOf(type->getElementType())));
  if (!v.options.native_gather || all == lanes)
    return mask;
  Value *bits = v.b.CreateZExt(v.b.CreateBitCast(mask, v.b.getIntNTy(lanes)), v.b.getIntNTy(all));
  return v.b.CreateBitCast(bits, FixedVectorType::get(v.b.getInt1Ty(), all));
}

void storeUnderMask(VectorBuilder &v, Value *vector, Value *pointer, Align align, Value *mask) {
  auto *type = cast<FixedVectorType>(vector->getType());
  mask = maskOfWholeRegister(v, mask, type);
  const unsigned lanes = cast<FixedVectorType>(mask->getType())->getNumElements();
  if (lanes != type->getNumElements())
    vector = v.b.CreateShuffleVector(
        vector, createSequentialMask(0, type->getNumElements(), lanes - type->getNumElements()));
  v.b.CreateMaskedStore(vector, pointer, align, mask);
}

Value *loadVector(VectorBuilder &v, LoadInst &old, Type *type, Value *pointer, Value *mask) {
  const Align align = alignOfNeighbours(v, old.getType(), old.getAlign());
  if (mask) {
    auto *vector = cast<FixedVectorType>(type);
    Value *wide_mask = maskOfWholeRegister(v, mask, vector);
    const unsigned lanes = cast<FixedVectorType>(wide_mask->getType())->getNumElements();
    auto *whole = FixedVectorType::get(vector->getElementType(), lanes);
    Value *loaded = v.b.CreateMaskedLoad(whole, pointer, align, wide_mask);
    return whole == vector ? loaded
                           : v.b.CreateShuffleVector(
                                 loaded, createSequentialMask(0, vector->getNumElements(), 0));
  }
  LoadInst *result = v.b.CreateAlignedLoad(type, pointer, align, old.isVolatile());
  result->copyMetadata(old, kept_of_access);
  return result;
}

// Loads the first `here` of `lanes` contiguous elements from `pointer` on; the rest is poison.
static Value *loadFirst(VectorBuilder &v, LoadInst &old, Value *pointer, unsigned here,
                        unsigned lanes) {
  Type *type = old.getType();
  Value *result = PoisonValue::get(FixedVectorType::get(type, lanes));
  forEachPart(here, [&](unsigned first, unsigned count) {
    Value *part = loadVector(v, old, FixedVectorType::get(type, count),
                             v.b.CreateConstGEP1_64(type, pointer, first), nullptr);
    if (count < lanes)
      part = v.b.CreateShuffleVector(part, createSequentialMask(0, count, lanes - count));
    if (first == 0) {
      result = part;
      return;
    }
    SmallVector<int> order = createSequentialMask(0, first, lanes - first);
    for (unsigned lane = 0; lane < count; ++lane)
      order[first + lane] = int(lanes + lane);
    result = v.b.CreateShuffleVector(result, part, order);
  });
  return result;
}

static void storeFirst(VectorBuilder &v, StoreInst &old, Value *pointer, Value *vector,
                       unsigned here) {
  Type *type = old.getValueOperand()->getType();
  forEachPart(here, [&](unsigned first, unsigned count) {
    Value *part = v.b.CreateShuffleVector(vector, createSequentialMask(first, count, 0));
    StoreInst *store =
        v.b.CreateAlignedStore(part, v.b.CreateConstGEP1_64(type, pointer, first),
                               alignOfNeighbours(v, type, old.getAlign()), old.isVolatile());
    store->copyMetadata(old, kept_of_access);
  });
}

Value *loadNeighbours(VectorBuilder &v, LoadInst &old, const Rows &pointers) {
  prefetchAhead(v, old, pointers);
  auto *type = FixedVectorType::get(old.getType(), v.rowLength());
  const auto rows = [&](bool masked) {
    SmallVector<Value *> parts;
    for (unsigned row = 0; row < v.rowCount(); ++row)
      if (const auto here = v.mask.firstInRow(row); here && masked)
        parts.push_back(loadFirst(v, old, pointers[row], *here, v.rowLength()));
      else
        parts.push_back(loadVector(v, old, type, pointers[row],
                                   masked ? v.rowOf(v.mask.vector(), row) : nullptr));
    return concatenateVectors(v.b, parts);
  };
  if (v.mask.allActive() || v.mask.areFirstInRows() || v.hasMaskedAccess(old.getType()))
    return rows(!v.mask.allActive());
  return v.either(v.mask.allHere(), [&] { return rows(false); }, [&] { return gather(v, old); });
}

Value *mayStream(VectorBuilder &v, const StoreInst &old, const Rows &pointers, unsigned length) {
  if (!v.block || !old.hasMetadata(streaming_store) ||
      length * v.sizeOf(old.getValueOperand()->getType()) % line_bytes != 0)
    return v.b.getFalse();
  Type *i64 = v.b.getInt64Ty();
  Value *addresses = v.b.getInt64(0);
  for (Value *pointer : pointers)
    addresses = v.b.CreateOr(addresses, v.b.CreatePtrToInt(pointer, i64));
  Value *bits =
      v.b.CreateLoad(i64, v.b.CreateConstInBoundsGEP1_64(v.b.getInt8Ty(), v.block,
                                                         offsetof(BlockContext, stream_bits)));
  return v.b.CreateIsNull(v.b.CreateAnd(addresses, bits));
}

static void storeRows(VectorBuilder &v, StoreInst &old, const Rows &pointers, Value *value) {
  const auto store = [&](Align align, bool streams) -> Value * {
    for (unsigned row = 0; row < v.rowCount(); ++row) {
      StoreInst *part =
          v.b.CreateAlignedStore(v.rowOf(value, row), pointers[row], align, old.isVolatile());
      part->copyMetadata(old, kept_of_access);
      if (streams)
        part->setMetadata(LLVMContext::MD_nontemporal,
                          MDNode::get(old.getContext(), ConstantAsMetadata::get(v.b.getInt32(1))));
    }
    return nullptr;
  };
  v.either(
      mayStream(v, old, pointers, v.rowLength()), [&] { return store(Align(line_bytes), true); },
      [&] {
        // Before and after barriers, out-of-order execution does not reach far enough ahead.
        if (v.options.states || v.options.layout.whole)
          prefetchAhead(v, old, pointers);
        return store(alignOfNeighbours(v, old.getValueOperand()->getType(), old.getAlign()), false);
      });
}

// `value` and the mask for active lanes are in the order of addresses.
static void storeInOrder(VectorBuilder &v, StoreInst &old, const Rows &pointers, Value *value,
                         const OrderOfRow &order) {
  const Align align = alignOfNeighbours(v, old.getValueOperand()->getType(), old.getAlign());
  // Masked stores are many times slower than plain ones on some CPUs, and mostly all lanes are
  // active.
  v.either(
      v.mask.allHere(),
      [&]() -> Value * {
        storeRows(v, old, pointers, value);
        return nullptr;
      },
      [&]() -> Value * {
        if (!v.hasMaskedAccess(old.getValueOperand()->getType()))
          scatter(v, old);
        else
          for (unsigned row = 0; row < v.rowCount(); ++row)
            storeUnderMask(v, v.rowOf(value, row), pointers[row], align,
                           order(v.rowOf(v.mask.vector(), row)));
        return nullptr;
      });
}

void storeNeighbours(VectorBuilder &v, StoreInst &old, const Rows &pointers) {
  Value *value = v.vectorOf(old.getValueOperand());
  if (!v.mask.allActive() && v.mask.areFirstInRows()) {
    for (unsigned row = 0; row < v.rowCount(); ++row)
      storeFirst(v, old, pointers[row], v.rowOf(value, row),
                 v.mask.firstInRow(row).value_or(v.rowLength()));
    return;
  }
  storeInOrder(v, old, pointers, value, [](Value *mask) { return mask; });
}

// Reverses a row's elements.
static Value *reversed(VectorBuilder &v, Value *vector) {
  const int length = int(v.rowLength());
  SmallVector<int> order;
  for (int lane = 0; lane < length; ++lane)
    order.push_back(length - 1 - lane);
  return v.b.CreateShuffleVector(vector, order);
}

// The address of each row's last lane, which is the lowest.
static Rows lastInRows(VectorBuilder &v, Value *old_pointer, Type *type) {
  Rows result = v.rowsOf(old_pointer);
  for (Value *&pointer : result)
    pointer =
        v.b.CreateConstGEP1_64(v.b.getInt8Ty(), pointer, -v.sizeOf(type) * (v.rowLength() - 1));
  return result;
}

Value *loadBackwards(VectorBuilder &v, LoadInst &old) {
  const Rows pointers = lastInRows(v, old.getPointerOperand(), old.getType());
  prefetchAhead(v, old, pointers);
  auto *type = FixedVectorType::get(old.getType(), v.rowLength());
  SmallVector<Value *> parts;
  for (unsigned row = 0; row < v.rowCount(); ++row) {
    Value *mask = v.mask.allActive() ? nullptr : reversed(v, v.rowOf(v.mask.vector(), row));
    parts.push_back(reversed(v, loadVector(v, old, type, pointers[row], mask)));
  }
  return concatenateVectors(v.b, parts);
}

void storeBackwards(VectorBuilder &v, StoreInst &old) {
  Value *value = v.vectorOf(old.getValueOperand());
  SmallVector<Value *> parts;
  for (unsigned row = 0; row < v.rowCount(); ++row)
    parts.push_back(reversed(v, v.rowOf(value, row)));
  storeInOrder(v, old, lastInRows(v, old.getPointerOperand(), old.getValueOperand()->getType()),
               concatenateVectors(v.b, parts), [&](Value *mask) { return reversed(v, mask); });
}

Value *loadContiguous(VectorBuilder &v, LoadInst &old) {
  return loadNeighbours(v, old, v.rowsOf(old.getPointerOperand()));
}

void storeContiguous(VectorBuilder &v, StoreInst &old) {
  storeNeighbours(v, old, v.rowsOf(old.getPointerOperand()));
}

// ---- Tiled affine addresses of which each row loads one ----

Value *loadFromEachRow(VectorBuilder &v, LoadInst &old) {
  Rows pointers = v.rowsOf(old.getPointerOperand()), result;
  if (!v.mask.allActive()) {
    Value *safe = pointers.back();
    for (unsigned row = v.rowCount() - 1; row-- > 0;)
      safe = v.b.CreateSelect(v.mask.rowIsHere(row), pointers[row], safe);
    for (unsigned row = 0; row < v.rowCount(); ++row)
      pointers[row] = v.b.CreateSelect(v.mask.rowIsHere(row), pointers[row], safe);
  }
  for (Value *pointer : pointers) {
    auto *copy = cast<LoadInst>(old.clone());
    copy->setOperand(0, pointer);
    result.push_back(v.b.Insert(copy));
  }
  v.defineRows(old, std::move(result));
  return nullptr;
}

} // namespace heddle::engine::simd
