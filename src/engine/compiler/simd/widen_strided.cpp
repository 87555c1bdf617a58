// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to every second, third … element, as in arrays of small structures or in the lower
// levels of a tree: a few vectors in place of an access a lane.
#include "engine/compiler/simd/widener.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Beyond that, as many vectors cost as much as gathers.
constexpr int64_t largest_step = 8;

// Where the elements lie: `step` vectors that cover them. The last vector ends with the last
// element: nothing behind it is touched, not even under a mask, because CPUs take long over pages
// that are not there.
struct Cover {
  unsigned lanes, step;

  unsigned start(unsigned part) const {
    return part + 1 < step ? part * lanes : (lanes - 1) * (step - 1);
  }
  // Of the vectors one behind the other, the element that belongs to the lane.
  unsigned place(unsigned lane) const {
    const unsigned element = lane * step, before_last = (step - 1) * lanes;
    return element < before_last ? element : before_last + element - start(step - 1);
  }
  // For each element of a part, its lane, or `nobody`.
  SmallVector<int> lanesOf(unsigned part, int nobody) const {
    SmallVector<int> result(lanes, nobody);
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (place(lane) / lanes == part)
        result[place(lane) % lanes] = int(lane);
    return result;
  }
};

} // namespace

/// How many elements lie between neighbouring lanes, if they are few; else 0.
unsigned Widener::smallStep(const Shape &address, Type *type) const {
  const int64_t size = int64_t(sizeOf(type));
  if (!address.isAffine() || !isPlain(type) || address.stride % size != 0)
    return 0;
  const int64_t step = address.stride / size;
  return step >= 2 && step <= largest_step ? unsigned(step) : 0;
}

// All that lies between is loaded too and dropped; it is in pages that are accessed anyway.
Value *Widener::loadEvery(LoadInst &old, unsigned step) {
  Type *type = old.getType();
  const Cover cover{lanes_, step};
  SmallVector<Value *> parts;
  for (unsigned part = 0; part < step; ++part) {
    Value *pointer =
        b_.CreateConstGEP1_64(type, scalarOf(old.getPointerOperand()), cover.start(part));
    if (everybody())
      parts.push_back(b_.CreateAlignedLoad(wide(type), pointer, Align(sizeOf(type))));
    else
      parts.push_back(b_.CreateMaskedLoad(
          wide(type), pointer, Align(sizeOf(type)),
          b_.CreateShuffleVector(mask_, Constant::getNullValue(mask_->getType()),
                                 cover.lanesOf(part, int(lanes_)))));
  }
  SmallVector<int> order;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    order.push_back(int(cover.place(lane)));
  return b_.CreateShuffleVector(concatenateVectors(b_, parts), order);
}

// What lies between is masked off.
void Widener::storeEvery(StoreInst &old, unsigned step) {
  Type *type = old.getValueOperand()->getType();
  const Cover cover{lanes_, step};
  Value *value = vectorOf(old.getValueOperand());
  Value *here = everybody() ? Constant::getAllOnesValue(wide(b_.getInt1Ty())) : mask_;
  for (unsigned part = 0; part < step; ++part) {
    Value *pointer =
        b_.CreateConstGEP1_64(type, scalarOf(old.getPointerOperand()), cover.start(part));
    Value *mask = b_.CreateShuffleVector(here, Constant::getNullValue(here->getType()),
                                         cover.lanesOf(part, int(lanes_)));
    b_.CreateMaskedStore(b_.CreateShuffleVector(value, cover.lanesOf(part, -1)), pointer,
                         old.getAlign(), mask);
  }
}

} // namespace heddle::engine::simd
