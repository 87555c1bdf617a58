// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/widen_packs.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/simd/widen/kinds/contiguous_access.h"
#include "engine/compiler/simd/widen/memory/widen_prefetch.h"
#include "llvm/Analysis/VectorUtils.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {

unsigned packSize(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

Value *forMembers(VectorBuilder &v, Value *vector, unsigned members) {
  return members == 1
             ? vector
             : v.b.CreateShuffleVector(vector, createReplicatedMask(int(members), int(v.lanes)));
}

Value *repeatedPack(VectorBuilder &v, Value *pack) {
  const unsigned members = packSize(pack->getType());
  if (Value *element = getSplatValue(pack))
    return v.b.CreateVectorSplat(v.lanes * members, element);
  SmallVector<int> order;
  for (unsigned i = 0; i < v.lanes * members; ++i)
    order.push_back(int(i % members));
  return v.b.CreateShuffleVector(pack, order);
}

Value *splatOfMembers(VectorBuilder &v, ShuffleVectorInst &splat) {
  const unsigned members = packSize(splat.getType());
  Value *element = getSplatValue(&splat);
  if (!element)
    throw InternalError("a shuffle in the code of a thread is no splat");
  const Shape form = v.shape(element);
  if (!form.isTiledAffine() || form.stride != 0)
    return forMembers(v, v.vectorOf(element), members);
  SmallVector<Value *> rows;
  for (Value *of_row : v.rowsOf(element))
    rows.push_back(v.b.CreateVectorSplat(v.rowLength() * members, of_row));
  return concatenateVectors(v.b, rows);
}

Value *memberOf(VectorBuilder &v, Value *vector, unsigned number, unsigned members) {
  return v.b.CreateShuffleVector(vector, createStrideMask(number, members, v.lanes));
}

// The addresses of each member.
static SmallVector<Value *> memberAddresses(VectorBuilder &v, Value *old_pointer, Type *type) {
  SmallVector<Value *> result;
  Value *pointers = v.vectorOf(old_pointer);
  for (unsigned i = 0; i < packSize(type); ++i)
    result.push_back(v.b.CreateConstGEP1_64(type->getScalarType(), pointers, i));
  return result;
}

Value *loadPacks(VectorBuilder &v, LoadInst &old) {
  auto *type = cast<FixedVectorType>(old.getType());
  const Rows rows = v.rowsOf(old.getPointerOperand());
  prefetchAhead(v, old, rows);
  const unsigned members = packSize(type), length = v.rowLength() * members;
  auto *vector = FixedVectorType::get(type->getElementType(), length);
  Value *mask = v.mask.allActive() ? nullptr : forMembers(v, v.mask.vector(), members);
  SmallVector<Value *> parts;
  for (unsigned row = 0; row < v.rowCount(); ++row)
    parts.push_back(loadVector(v, old, vector, rows[row],
                               mask ? v.partOf(mask, row * length, length) : nullptr));
  return concatenateVectors(v.b, parts);
}

void storePacks(VectorBuilder &v, StoreInst &old) {
  auto *type = cast<FixedVectorType>(old.getValueOperand()->getType());
  Value *value = v.vectorOf(old.getValueOperand());
  const Rows rows = v.rowsOf(old.getPointerOperand());
  const unsigned members = packSize(type), length = v.rowLength() * members;
  Value *mask = v.mask.allActive() ? nullptr : forMembers(v, v.mask.vector(), members);
  for (unsigned row = 0; row < v.rowCount(); ++row) {
    Value *part = v.partOf(value, row * length, length);
    if (mask) {
      storeUnderMask(v, part, rows[row], old.getAlign(), v.partOf(mask, row * length, length));
      continue;
    }
    StoreInst *stored = v.b.CreateAlignedStore(part, rows[row], old.getAlign());
    stored->copyMetadata(old, kept_of_access);
  }
}

Value *gatherPacks(VectorBuilder &v, LoadInst &old) {
  auto *type = cast<FixedVectorType>(old.getType());
  SmallVector<Value *> values;
  for (Value *pointers : memberAddresses(v, old.getPointerOperand(), type))
    values.push_back(v.b.CreateMaskedGather(FixedVectorType::get(type->getElementType(), v.lanes),
                                            pointers, old.getAlign(), v.mask.vector()));
  return v.b.CreateShuffleVector(concatenateVectors(v.b, values),
                                 createInterleaveMask(v.lanes, packSize(type)));
}

void scatterPacks(VectorBuilder &v, StoreInst &old) {
  auto *type = cast<FixedVectorType>(old.getValueOperand()->getType());
  Value *value = v.vectorOf(old.getValueOperand());
  const unsigned members = packSize(type);
  const auto addresses = memberAddresses(v, old.getPointerOperand(), type);
  for (unsigned i = 0; i < members; ++i)
    v.b.CreateMaskedScatter(memberOf(v, value, i, members), addresses[i], old.getAlign(),
                            v.mask.vector());
}

} // namespace heddle::engine::simd
