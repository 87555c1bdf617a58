// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/widen_interleaved.h"
#include "engine/compiler/simd/analysis/access/interleaved_groups.h"
#include "engine/compiler/simd/form/vector_transpose.h"
#include "engine/compiler/simd/widen/kinds/contiguous_access.h"
#include "engine/compiler/simd/widen/kinds/widen_strided.h"
#include "engine/compiler/simd/widen/lane_values.h"
#include "engine/compiler/simd/widen/memory/widen_prefetch.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// The members that exist.
SmallVector<Value *> membersOf(const AccessGroup &group) {
  SmallVector<Value *> result;
  copy_if(group.members, std::back_inserter(result), [](const Instruction *i) { return i; });
  return result;
}

} // namespace

// If this is the first load of the group, loads the whole group and defines the values of all
// members.
static Value *loadGroup(VectorBuilder &v, const AccessGroup &group, LoadInst &old) {
  if (&old != group.first)
    return v.emitters.group_values.lookup(&old);
  const unsigned lanes = v.mask.allActive() ? v.rowLength() : v.mask.firstLanes(),
                 step = group.step;
  Type *type = old.getType();
  auto *vector = FixedVectorType::get(type, lanes);
  const unsigned own = unsigned(find(group.members, &old) - group.members.begin());
  unsigned end = lanes * step, before = 0; // elements loaded; those before the first member
  while (!group.members[(end - 1) % step])
    --end;
  if (const auto place = placeInLine(v, old.getPointerOperand(), type, step, lanes);
      place && *place >= own && *place - own + end <= lanes * step) {
    before = *place - own;
    end = lanes * step;
  }
  // Unless whole lines are loaded, the last vector ends with the last accessed element.
  const SmallVector<Value *> members = membersOf(group);
  std::vector<Vectors> rows(step); // for each member
  const Rows pointers = v.rowsOf(old.getPointerOperand());
  prefetchAhead(v, old, pointers);
  for (Value *pointer : pointers) {
    Vectors sequence;
    for (unsigned part = 0; part < step; ++part) {
      const unsigned begin = part * lanes;
      if (begin >= end) {
        sequence.push_back(PoisonValue::get(vector));
        continue;
      }
      const unsigned beyond = begin + lanes - std::min(begin + lanes, end);
      const int64_t place = int64_t(begin) - beyond - own - before;
      Value *value = loadVector(v, old, vector,
                                v.b.CreateConstGEP1_64(type, pointer, uint64_t(place)), nullptr);
      propagateMetadata(cast<Instruction>(value), members);
      if (beyond)
        value =
            v.b.CreateShuffleVector(value, createSequentialMask(beyond, lanes - beyond, beyond));
      sequence.push_back(value);
    }
    if (isPowerOf2_32(step)) {
      const Vectors separated = separate(v.b, sequence);
      for (unsigned i = 0; i < step; ++i)
        rows[i].push_back(separated[i]);
    } else {
      Value *all = concatenateVectors(v.b, sequence);
      for (unsigned i = 0; i < step; ++i)
        rows[i].push_back(v.b.CreateShuffleVector(all, createStrideMask(i, step, lanes)));
    }
  }
  for (unsigned i = 0; i < step; ++i)
    if (group.members[i]) {
      Value *&value = v.emitters.group_values[group.members[i]] =
          concatenateVectors(v.b, rows[i + before]);
      if (!v.mask.allActive())
        value = v.b.CreateShuffleVector(value, createSequentialMask(0, lanes, v.lanes - lanes));
    }
  return v.emitters.group_values.lookup(&old);
}

// Likewise, if the group has not been loaded. Inactive lanes load from an active lane's address.
static Value *loadScattered(VectorBuilder &v, const AccessGroup &group, LoadInst &old) {
  if (Value *loaded = v.emitters.group_values.lookup(&old))
    return loaded;
  Type *type = old.getType();
  const unsigned step = group.step;
  const unsigned own = unsigned(find(group.members, &old) - group.members.begin());
  unsigned count = step; // nothing after the last member is accessed
  while (!group.members[count - 1])
    --count;
  APInt offset(v.data.getIndexTypeSizeInBits(old.getPointerOperandType()), 0);
  Value *base = old.getPointerOperand()->stripAndAccumulateConstantOffsets(v.data, offset, true);
  offset -= own * v.sizeOf(type);
  LaneAddresses addresses(v, base, /*stores=*/true);
  auto *vector = FixedVectorType::get(type, count);
  const SmallVector<Value *> members = membersOf(group);
  const auto here = v.mask.numbersHere();
  SmallVector<Value *> of_lanes;
  for (unsigned lane = 0; lane < v.lanes; ++lane) {
    if (!is_contained(here, lane)) {
      of_lanes.push_back(PoisonValue::get(FixedVectorType::get(type, step)));
      continue;
    }
    Value *place = v.b.CreatePtrAdd(addresses.at(lane), v.b.getInt(offset));
    Value *value = loadVector(v, old, vector, place, nullptr);
    propagateMetadata(cast<Instruction>(value), members);
    if (count < step)
      value = v.b.CreateShuffleVector(value, createSequentialMask(0, count, step - count));
    of_lanes.push_back(value);
  }
  Vectors sequence;
  for (unsigned part = 0; part < step; ++part)
    sequence.push_back(
        concatenateVectors(v.b, ArrayRef(of_lanes).slice(part * (v.lanes / step), v.lanes / step)));
  const Vectors separated = separate(v.b, sequence);
  for (unsigned i = 0; i < step; ++i)
    if (group.members[i])
      v.emitters.group_values[group.members[i]] = separated[i];
  return v.emitters.group_values.lookup(&old);
}

// If this is the last store of the group, stores the whole group.
static void storeGroup(VectorBuilder &v, const AccessGroup &group, StoreInst &old) {
  if (&old != group.last)
    return;
  const unsigned lanes = v.mask.allActive() ? v.rowLength() : v.mask.firstLanes(),
                 step = group.step;
  const unsigned own = unsigned(find(group.members, &old) - group.members.begin());
  Type *type = old.getValueOperand()->getType();
  const Rows pointers = v.rowsOf(old.getPointerOperand());
  const SmallVector<Value *> members = membersOf(group);
  for (unsigned row = 0; row < v.rowCount(); ++row) {
    Vectors values;
    for (Value *member : members) {
      Value *value = v.rowOf(v.vectorOf(cast<StoreInst>(member)->getValueOperand()), row);
      values.push_back(v.mask.allActive()
                           ? value
                           : v.b.CreateShuffleVector(value, createSequentialMask(0, lanes, 0)));
    }
    Vectors sequence;
    if (isPowerOf2_32(step)) {
      sequence = join(v.b, values);
    } else {
      Value *all = concatenateVectors(v.b, values);
      const SmallVector<int> order = createInterleaveMask(lanes, step);
      for (unsigned part = 0; part < step; ++part)
        sequence.push_back(
            v.b.CreateShuffleVector(all, ArrayRef(order).slice(part * lanes, lanes)));
    }
    for (unsigned part = 0; part < step; ++part) {
      const int64_t place = int64_t(part) * lanes - own;
      StoreInst *stored = v.b.CreateAlignedStore(
          sequence[part], v.b.CreateConstGEP1_64(type, pointers[row], uint64_t(place)),
          alignOfNeighbours(v, type, old.getAlign()));
      propagateMetadata(stored, members);
    }
  }
}

Value *loadInterleaved(VectorBuilder &v, LoadInst &old) {
  return loadGroup(v, *v.accesses.groupOf(old), old);
}

void storeInterleaved(VectorBuilder &v, StoreInst &old) {
  storeGroup(v, *v.accesses.groupOf(old), old);
}

Value *loadMembersOfEach(VectorBuilder &v, LoadInst &old) {
  return loadScattered(v, *v.accesses.scatteredGroupOf(old), old);
}

} // namespace heddle::engine::simd
