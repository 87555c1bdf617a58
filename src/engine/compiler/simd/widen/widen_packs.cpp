// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors in the code of a thread (packs.h). The gang's vector concatenates those of its lanes, in
// memory order: lane 0's members, lane 1's, and so on.
#include "engine/compiler/simd/widen/widener.h"

#include "engine/compiler/errors.h"
#include "llvm/Analysis/VectorUtils.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {

unsigned Widener::packSize(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

// Repeats each lane's element for each member.
Value *Widener::forMembers(Value *vector, unsigned members) {
  return members == 1
             ? vector
             : b_.CreateShuffleVector(vector, createReplicatedMask(int(members), int(lanes_)));
}

// Repeats a uniform pack for all lanes.
Value *Widener::repeatedPack(Value *pack) {
  const unsigned members = packSize(pack->getType());
  if (Value *element = getSplatValue(pack))
    return b_.CreateVectorSplat(lanes_ * members, element);
  SmallVector<int> order;
  for (unsigned i = 0; i < lanes_ * members; ++i)
    order.push_back(int(i % members));
  return b_.CreateShuffleVector(pack, order);
}

Value *Widener::splatOfMembers(ShuffleVectorInst &splat) {
  const unsigned members = packSize(splat.getType());
  Value *element = getSplatValue(&splat);
  if (!element)
    throw InternalError("a shuffle in the code of a thread is no splat");
  const Shape form = shape(element);
  if (!form.isTiledAffine() || form.stride != 0)
    return forMembers(vectorOf(element), members);
  SmallVector<Value *> rows;
  for (Value *of_row : rowsOf(element))
    rows.push_back(b_.CreateVectorSplat(rowLength() * members, of_row));
  return concatenateVectors(b_, rows);
}

// The member of each lane.
Value *Widener::memberOf(Value *vector, unsigned number, unsigned members) {
  return b_.CreateShuffleVector(vector, createStrideMask(number, members, lanes_));
}

// The address of each row, if packs are contiguous.
std::optional<Widener::Rows> Widener::packsAt(Value *old_pointer, Type *type) {
  const Shape where = shape(old_pointer);
  if (!where.hasRowBases() || where.stride != int64_t(sizeOf(type)))
    return std::nullopt;
  return rowsOf(old_pointer);
}

// The addresses of each member.
SmallVector<Value *> Widener::memberAddresses(Value *old_pointer, Type *type) {
  SmallVector<Value *> result;
  Value *pointers = vectorOf(old_pointer);
  for (unsigned i = 0; i < packSize(type); ++i)
    result.push_back(b_.CreateConstGEP1_64(type->getScalarType(), pointers, i));
  return result;
}

Value *Widener::loadPack(LoadInst &old) {
  auto *type = cast<FixedVectorType>(old.getType());
  const unsigned members = packSize(type);
  if (const auto rows = packsAt(old.getPointerOperand(), type)) {
    remark(old, Remark::Kind::Contiguous, "load");
    prefetchAhead(old, *rows);
    auto *vector = FixedVectorType::get(type->getElementType(), rowLength() * members);
    Value *mask = allActive() ? nullptr : forMembers(mask_, members);
    SmallVector<Value *> parts;
    for (unsigned row = 0; row < rowCount(); ++row)
      parts.push_back(loadVector(
          old, vector, (*rows)[row],
          mask ? partOf(mask, row * rowLength() * members, rowLength() * members) : nullptr));
    return concatenateVectors(b_, parts);
  }
  remark(old, Remark::Kind::Gather, "load");
  SmallVector<Value *> values;
  for (Value *pointers : memberAddresses(old.getPointerOperand(), type))
    values.push_back(b_.CreateMaskedGather(FixedVectorType::get(type->getElementType(), lanes_),
                                           pointers, old.getAlign(), mask_));
  return b_.CreateShuffleVector(concatenateVectors(b_, values),
                                createInterleaveMask(lanes_, members));
}

void Widener::storePack(StoreInst &old) {
  Value *value = vectorOf(old.getValueOperand());
  auto *type = cast<FixedVectorType>(old.getValueOperand()->getType());
  const unsigned members = packSize(type);
  if (const auto rows = packsAt(old.getPointerOperand(), type)) {
    remark(old, Remark::Kind::Contiguous, "store");
    const unsigned length = rowLength() * members;
    Value *mask = allActive() ? nullptr : forMembers(mask_, members);
    for (unsigned row = 0; row < rowCount(); ++row) {
      Value *part = partOf(value, row * length, length);
      if (mask) {
        storeUnderMask(part, (*rows)[row], old.getAlign(), partOf(mask, row * length, length));
        continue;
      }
      StoreInst *stored = b_.CreateAlignedStore(part, (*rows)[row], old.getAlign());
      stored->copyMetadata(old, kept_of_access);
    }
    return;
  }
  remark(old, Remark::Kind::Gather, "store");
  const auto addresses = memberAddresses(old.getPointerOperand(), type);
  for (unsigned i = 0; i < members; ++i)
    b_.CreateMaskedScatter(memberOf(value, i, members), addresses[i], old.getAlign(), mask_);
}

} // namespace heddle::engine::simd
