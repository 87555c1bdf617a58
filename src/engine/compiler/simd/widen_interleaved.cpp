// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of accesses (interleave.h) are transposed: of vectors as they lie in memory, `step`
// elements of one lane after those of another, is made a vector for each member, or the reverse.
#include "engine/compiler/simd/interleave.h"
#include "engine/compiler/simd/transpose.h"
#include "engine/compiler/simd/widener.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Numbers first, first + step, …
SmallVector<int> every(unsigned first, unsigned step, unsigned count) {
  SmallVector<int> result;
  for (unsigned i = 0; i < count; ++i)
    result.push_back(int(first + i * step));
  return result;
}

} // namespace

// All loads of the group, if this is the first. Each has its value afterwards.
Value *Widener::loadGroup(const AccessGroup &group, LoadInst &old) {
  if (&old != group.first)
    return std::exchange(group_values_[&old], nullptr);
  const unsigned lanes = rowLength(), step = group.step;
  Type *type = old.getType();
  auto *vector = FixedVectorType::get(type, lanes);
  const unsigned own = unsigned(find(group.members, &old) - group.members.begin());
  // The last vector ends with the last element that is accessed: nothing behind it is touched.
  unsigned behind = 0;
  while (!group.members[step - 1 - behind])
    ++behind;
  std::vector<Vectors> rows(step); // of each member
  for (Value *pointer : rowsOf(old.getPointerOperand())) {
    Vectors sequence;
    for (unsigned part = 0; part < step; ++part) {
      const bool last = part + 1 == step;
      const int64_t place = int64_t(part) * lanes - own - (last ? behind : 0);
      Value *value =
          loadVector(old, vector, b_.CreateConstGEP1_64(type, pointer, uint64_t(place)), nullptr);
      if (last && behind) {
        SmallVector<int> order = every(behind, 1, lanes - behind);
        order.append(behind, PoisonMaskElem);
        value = b_.CreateShuffleVector(value, order);
      }
      sequence.push_back(value);
    }
    if (isPowerOf2_32(step)) {
      const Vectors members = separate(b_, sequence);
      for (unsigned i = 0; i < step; ++i)
        rows[i].push_back(members[i]);
    } else {
      Value *all = concatenateVectors(b_, sequence);
      for (unsigned i = 0; i < step; ++i)
        rows[i].push_back(b_.CreateShuffleVector(all, every(i, step, lanes)));
    }
  }
  for (unsigned i = 0; i < step; ++i)
    if (group.members[i])
      group_values_[group.members[i]] = concatenateVectors(b_, rows[i]);
  return std::exchange(group_values_[&old], nullptr);
}

// All stores of the group, if this is the last.
void Widener::storeGroup(const AccessGroup &group, StoreInst &old) {
  if (&old != group.last)
    return;
  const unsigned lanes = rowLength(), step = group.step;
  const unsigned own = unsigned(find(group.members, &old) - group.members.begin());
  Type *type = old.getValueOperand()->getType();
  const Rows pointers = rowsOf(old.getPointerOperand());
  for (unsigned row = 0; row < rowCount(); ++row) {
    Vectors members;
    for (Instruction *member : group.members)
      members.push_back(rowOf(vectorOf(cast<StoreInst>(member)->getValueOperand()), row));
    Vectors sequence;
    if (isPowerOf2_32(step)) {
      sequence = join(b_, members);
    } else {
      Value *all = concatenateVectors(b_, members);
      for (unsigned part = 0; part < step; ++part) {
        SmallVector<int> order;
        for (unsigned place = part * lanes; place < (part + 1) * lanes; ++place)
          order.push_back(int(place % step * lanes + place / step));
        sequence.push_back(b_.CreateShuffleVector(all, order));
      }
    }
    for (unsigned part = 0; part < step; ++part) {
      const int64_t place = int64_t(part) * lanes - own;
      b_.CreateAlignedStore(sequence[part],
                            b_.CreateConstGEP1_64(type, pointers[row], uint64_t(place)),
                            alignOfNeighbours(type, old.getAlign()));
    }
  }
}

const AccessGroup *Widener::groupOf(const Instruction &access) const {
  return group_of_.lookup(&access);
}

void Widener::findGroups() {
  if (rowLength() < 2)
    return;
  groups_ = interleavedAccesses(old_, shapes_);
  for (const AccessGroup &group : groups_)
    for (Instruction *member : group.members)
      if (member)
        group_of_[member] = &group;
}

} // namespace heddle::engine::simd
