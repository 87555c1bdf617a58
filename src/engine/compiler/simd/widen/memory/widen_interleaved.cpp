// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interleaved groups (interleaved_groups.h): vectors in memory order, with `step` elements of each
// lane, are transposed to a vector for each member, or the reverse. If only the first lanes are
// active, the vectors are shorter. If lanes are at unrelated addresses, each lane's elements are
// loaded separately and concatenated first.
#include "engine/compiler/simd/analysis/access/interleaved_groups.h"
#include "engine/compiler/simd/form/vector_transpose.h"
#include "engine/compiler/simd/widen/widener.h"

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
Value *Widener::loadGroup(const AccessGroup &group, LoadInst &old) {
  if (&old != group.first)
    return group_values_.lookup(&old);
  const unsigned lanes = allActive() ? rowLength() : first_, step = group.step;
  Type *type = old.getType();
  auto *vector = FixedVectorType::get(type, lanes);
  const unsigned own = unsigned(find(group.members, &old) - group.members.begin());
  unsigned end = lanes * step, before = 0; // elements loaded; those before the first member
  while (!group.members[(end - 1) % step])
    --end;
  if (const auto place = placeInLine(old.getPointerOperand(), type, step, lanes);
      place && *place >= own && *place - own + end <= lanes * step) {
    before = *place - own;
    end = lanes * step;
  }
  // Unless whole lines are loaded, the last vector ends with the last accessed element.
  const SmallVector<Value *> members = membersOf(group);
  std::vector<Vectors> rows(step); // for each member
  const Rows pointers = rowsOf(old.getPointerOperand());
  prefetchAhead(old, pointers);
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
      Value *value =
          loadVector(old, vector, b_.CreateConstGEP1_64(type, pointer, uint64_t(place)), nullptr);
      propagateMetadata(cast<Instruction>(value), members);
      if (beyond)
        value = b_.CreateShuffleVector(value, createSequentialMask(beyond, lanes - beyond, beyond));
      sequence.push_back(value);
    }
    if (isPowerOf2_32(step)) {
      const Vectors separated = separate(b_, sequence);
      for (unsigned i = 0; i < step; ++i)
        rows[i].push_back(separated[i]);
    } else {
      Value *all = concatenateVectors(b_, sequence);
      for (unsigned i = 0; i < step; ++i)
        rows[i].push_back(b_.CreateShuffleVector(all, createStrideMask(i, step, lanes)));
    }
  }
  for (unsigned i = 0; i < step; ++i)
    if (group.members[i]) {
      Value *&value = group_values_[group.members[i]] = concatenateVectors(b_, rows[i + before]);
      if (!allActive())
        value = b_.CreateShuffleVector(value, createSequentialMask(0, lanes, lanes_ - lanes));
    }
  return group_values_.lookup(&old);
}

// Likewise, if the group has not been loaded. Inactive lanes load from an active lane's address.
Value *Widener::loadScattered(const AccessGroup &group, LoadInst &old) {
  if (Value *loaded = group_values_.lookup(&old))
    return loaded;
  Type *type = old.getType();
  const unsigned step = group.step;
  const unsigned own = unsigned(find(group.members, &old) - group.members.begin());
  unsigned count = step; // nothing after the last member is accessed
  while (!group.members[count - 1])
    --count;
  APInt offset(data_.getIndexTypeSizeInBits(old.getPointerOperandType()), 0);
  Value *base = old.getPointerOperand()->stripAndAccumulateConstantOffsets(data_, offset, true);
  offset -= own * sizeOf(type);
  LaneAddresses addresses(*this, base, /*stores=*/true);
  auto *vector = FixedVectorType::get(type, count);
  const SmallVector<Value *> members = membersOf(group);
  const auto here = numbersHere();
  SmallVector<Value *> of_lanes;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    if (!is_contained(here, lane)) {
      of_lanes.push_back(PoisonValue::get(FixedVectorType::get(type, step)));
      continue;
    }
    Value *place = b_.CreatePtrAdd(addresses.at(lane), b_.getInt(offset));
    Value *value = loadVector(old, vector, place, nullptr);
    propagateMetadata(cast<Instruction>(value), members);
    if (count < step)
      value = b_.CreateShuffleVector(value, createSequentialMask(0, count, step - count));
    of_lanes.push_back(value);
  }
  Vectors sequence;
  for (unsigned part = 0; part < step; ++part)
    sequence.push_back(
        concatenateVectors(b_, ArrayRef(of_lanes).slice(part * (lanes_ / step), lanes_ / step)));
  const Vectors separated = separate(b_, sequence);
  for (unsigned i = 0; i < step; ++i)
    if (group.members[i])
      group_values_[group.members[i]] = separated[i];
  return group_values_.lookup(&old);
}

// If this is the last store of the group, stores the whole group.
void Widener::storeGroup(const AccessGroup &group, StoreInst &old) {
  if (&old != group.last)
    return;
  const unsigned lanes = allActive() ? rowLength() : first_, step = group.step;
  const unsigned own = unsigned(find(group.members, &old) - group.members.begin());
  Type *type = old.getValueOperand()->getType();
  const Rows pointers = rowsOf(old.getPointerOperand());
  const SmallVector<Value *> members = membersOf(group);
  for (unsigned row = 0; row < rowCount(); ++row) {
    Vectors values;
    for (Value *member : members) {
      Value *value = rowOf(vectorOf(cast<StoreInst>(member)->getValueOperand()), row);
      values.push_back(
          allActive() ? value : b_.CreateShuffleVector(value, createSequentialMask(0, lanes, 0)));
    }
    Vectors sequence;
    if (isPowerOf2_32(step)) {
      sequence = join(b_, values);
    } else {
      Value *all = concatenateVectors(b_, values);
      const SmallVector<int> order = createInterleaveMask(lanes, step);
      for (unsigned part = 0; part < step; ++part)
        sequence.push_back(b_.CreateShuffleVector(all, ArrayRef(order).slice(part * lanes, lanes)));
    }
    for (unsigned part = 0; part < step; ++part) {
      const int64_t place = int64_t(part) * lanes - own;
      StoreInst *stored = b_.CreateAlignedStore(
          sequence[part], b_.CreateConstGEP1_64(type, pointers[row], uint64_t(place)),
          alignOfNeighbours(type, old.getAlign()));
      propagateMetadata(stored, members);
    }
  }
}

// The group that the access belongs to, or null.
const AccessGroup *Widener::groupOf(const Instruction &access) const {
  const bool first_ones = first_ > fewLanes() && isPowerOf2_32(first_) && rowCount() == 1;
  const AccessGroup *group = allActive() || first_ones ? group_of_.lookup(&access) : nullptr;
  return group && group->step <= largest_interleaved_step ? group : nullptr;
}

const AccessGroup *Widener::scatteredGroupOf(const LoadInst &load) const {
  const AccessGroup *group = scattered_group_of_.lookup(&load);
  return group && group->step <= lanes_ && !areFew() && !first_ ? group : nullptr;
}

void Widener::findGroups() {
  if (rowLength() < 2)
    return;
  groups_ = accessesSideBySide(old_, shapes_);
  for (const AccessGroup &group : groups_)
    for (Instruction *member : group.members)
      if (member)
        (group.scattered ? scattered_group_of_ : group_of_)[member] = &group;
}

} // namespace heddle::engine::simd
